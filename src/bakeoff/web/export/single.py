"""A board as one file."""

import base64
import hashlib
import re

from bakeoff.web.export.links import MARK, Alone
from bakeoff.web.links import static_file
from bakeoff.web.pages.board import BoardPage
from bakeoff.web.rendering import render

_STYLE = re.compile(rf'<link rel="stylesheet" href="{MARK}([\w.]+)">')
_SCRIPT = re.compile(rf'<script src="{MARK}([\w.]+)" defer></script>')
_ICON = re.compile(rf'href="{MARK}([\w.]+)"')


def single(page: BoardPage, *, title: str) -> str:
    """The page of a board with its styles and scripts in it, and a policy by which nothing else may run."""
    text = render("board", page, links=Alone(), title=title)
    styles = [static_file(name).read_text("utf-8") for name in _STYLE.findall(text)]
    scripts = [static_file(name).read_text("utf-8") for name in _SCRIPT.findall(text)]
    text = _SCRIPT.sub("", _STYLE.sub("", text))
    text = _ICON.sub(lambda found: f'href="{_data(found[1])}"', text)
    policy = (
        "default-src 'none'; img-src data:; "
        f"style-src {' '.join(map(_hash, styles))}; script-src {' '.join(map(_hash, scripts))}"
    )
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">' + "".join(
        f"<style>{each}</style>" for each in styles
    )
    # At the end of the page, since what is in it is not deferred.
    foot = "".join(f"<script>{each}</script>" for each in scripts)
    text = text.replace('<meta charset="utf-8">', f'<meta charset="utf-8">{head}', 1)
    before, _, after = text.rpartition("</body>")
    return f"{before}{foot}</body>{after}"


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def _data(name: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(static_file(name).read_bytes()).decode()}"
