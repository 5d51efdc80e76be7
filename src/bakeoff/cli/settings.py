"""An engine's settings as they are given on the command line."""

from collections.abc import Sequence

from bakeoff.errors import BakeoffError


def read_settings(pairs: Sequence[str], option: str = "--set") -> dict[str, str]:
    """`KEY=VALUE` each; `option` is for errors.

    Raises:
        BakeoffError: one that is not.
    """
    settings = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            example = "for example --set threads=2" if option == "--set" else ""
            raise BakeoffError(f"{option} takes KEY=VALUE, got {pair!r}", example)
        settings[key] = value
    return settings
