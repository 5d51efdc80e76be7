"""Templates: ours, with everything they are given escaped and made visible."""

from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from bakeoff.board.table import label
from bakeoff.visible import visible
from bakeoff.web.links import Links

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Environment


def render(template: str, page: object, *, links: Links, **more: Any) -> str:
    """The page in `templates/<template>.html.j2`, from its data, which the template knows as `page`.

    What else templates may use is in `more`: `viewer` is who reads it (None where nobody is logged in),
    `said` a line to show once.
    """
    known: Mapping[str, Any] = {"viewer": None, "said": "", "title": "Bakeoff", "here": ""}
    return (
        _environment().get_template(f"{template}.html.j2").render(dict(known) | more, page=page, links=links)
    )


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("bakeoff.web"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.do"],
    )
    made.filters |= {
        each.__name__: each for each in (percent, number, count, day, moment, seconds, dollars, name, short)
    }
    return made


def percent(share: float | None, digits: int = 1) -> str:
    """A share in [0, 1] as per cent; a dash where it is missing."""
    return "–" if share is None else f"{100 * share:.{digits}f}".replace("-", "−")


def number(value: float | None) -> str:
    """A number to about three places: 1,432, 57.3, 8.99; a dash where it is missing."""
    if value is None:
        return "–"
    return (f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}").replace("-", "−")


def count(many: int, noun: str, nouns: str = "") -> str:
    """`1 item`, `1,234 items`."""
    return f"{many:,} {noun if many == 1 else nouns or noun + 's'}"


def seconds(value: float | None) -> str:
    """A duration in the unit that reads best; a dash where it is missing."""
    if value is None:
        return "–"
    return f"{1000 * value:.0f} ms" if value < 1 else f"{value:,.1f} s"


def dollars(value: float | None) -> str:
    """US dollars to the cent; below ten cents with two digits that count; a dash where missing."""
    if value is None:
        return "–"
    return f"${value:,.2f}" if value >= 0.1 or value == 0 else f"${value:.2g}"


def day(when: float | str) -> Markup:
    """A day, of seconds since 1970 or ISO 8601."""
    at = _at(when)
    return Markup('<time datetime="{}">{}</time>').format(at.date().isoformat(), at.date().isoformat())


def moment(when: float | str) -> Markup:
    """A minute, in UTC, of seconds since 1970 or ISO 8601."""
    at = _at(when)
    return Markup('<time datetime="{}">{:%Y-%m-%d %H:%M} UTC</time>').format(
        at.isoformat(timespec="seconds"), at
    )


def name(text: str) -> Markup:
    """A name as it stands in running text: its direction is its own."""
    return Markup("<bdi>{}</bdi>").format(visible(text))


def short(model: str) -> str:
    """The name of a model without its organisation: `model` of `org/model`."""
    return label(model)


def _at(when: float | str) -> datetime:
    if isinstance(when, str):
        return datetime.fromisoformat(when).astimezone(UTC)
    return datetime.fromtimestamp(when, UTC)


def _shown(value: object) -> object:
    """What a template writes: text of unknown origin made safe wherever it turns up, and never a None."""
    if value is None:
        raise TypeError("the page would show None")
    return value if isinstance(value, Markup) else visible(str(value))
