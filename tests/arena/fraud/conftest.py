from tests.arena.battles.playing import *  # noqa: F403
from tests.database.fixtures import *  # noqa: F403
