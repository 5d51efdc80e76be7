import pytest

from bakeoff.sandbox import SandboxError, Tier, sandbox


@pytest.fixture(scope="session")
def tier() -> Tier:
    """The sandbox of this machine, found by a trial run."""
    try:
        return sandbox()
    except SandboxError as error:
        pytest.skip(str(error))
