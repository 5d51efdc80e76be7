from tests.arena.definition.making import *  # noqa: F403
from tests.database.fixtures import *  # noqa: F403
