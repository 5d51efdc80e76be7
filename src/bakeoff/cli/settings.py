"""An engine's settings as they are given on the command line."""

from collections.abc import Sequence

from bakeoff.errors import BakeoffError


def read_settings(pairs: Sequence[str]) -> dict[str, str]:
    """`KEY=VALUE` each.

    Raises:
        BakeoffError: one that is not.
    """
    settings = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise BakeoffError(f"--set takes KEY=VALUE, got {pair!r}", "for example --set threads=2")
        settings[key] = value
    return settings
