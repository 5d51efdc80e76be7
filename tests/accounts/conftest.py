from tests.accounts.fixtures import *  # noqa: F403
