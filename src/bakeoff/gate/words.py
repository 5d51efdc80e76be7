"""Numbers in the sentences of a gate."""

from math import floor, isinf, log10


def percent(share: float) -> str:
    """A share: `62.0 %`."""
    return f"{100 * share:.1f} %"


def points(difference: float) -> str:
    """A difference of shares, with its sign: `-2.5`. What rounds to nothing has none."""
    text = f"{100 * difference:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text


def exactly(share: float) -> str:
    """A limit a person wrote, as they wrote it: `2` for 0.02."""
    return f"{100 * share:.10g}"


def seconds(value: float) -> str:
    """A latency: `0.83 s`, `∞`."""
    return "∞" if isinf(value) else f"{value:.3g} s"


def dollars(value: float) -> str:
    """A cost: `$0.0021`."""
    return f"${value:.4g}"


def p_value(p: float) -> str:
    """A p-value: `p = 0.012`, `p < 0.001`."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"


def about(number: int) -> str:
    """A planned number of items, to two figures: `about 1,300`."""
    if number < 10:
        return f"{number}"
    step = 10 ** (floor(log10(number)) - 1)
    return f"about {-(-number // step) * step:,}"
