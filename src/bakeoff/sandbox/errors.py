"""What can go wrong with a sandbox itself: never the fault of the code inside."""

from bakeoff.errors import BakeoffError


class SandboxError(BakeoffError):
    """No sandbox works here, or one broke before the code inside began. Nothing was judged because of it."""

    exit_code = 3
