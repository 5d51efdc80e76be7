from tests.database.fixtures import *  # noqa: F403
