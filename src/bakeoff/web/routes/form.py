"""Forms: their fields, and the way on after one was taken."""

from typing import Annotated

from fastapi import Depends, HTTPException, Request
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

_PLAIN = "application/x-www-form-urlencoded"
_MOST_FIELDS = 60

SAID = {
    "submitted": "It is handed in. A worker looks at it first, and then asks it everything.",
    "voted": "Your vote counts.",
    "published": "It is published. The next snapshot has it.",
    "rejected": "It is rejected, and stays as a row without a rank.",
    "withdrawn": "It is withdrawn. What it scored stays, without a rank.",
    "retried": "It is looked at again.",
    "flagged": "The flag is raised, for everyone to see.",
    "replied": "Your reply stands beside the flag.",
    "ruled": "The ruling stands beside the flag.",
    "posted": "Your post is there.",
    "hidden": "The post is hidden.",
    "shown": "The post is shown again.",
    "erased": "The text of the post is erased.",
}
"""What a page says after something was done; the address has only the word for it."""


def said(request: Request) -> str:
    """What is to be said on the page that one is led to after a form."""
    return SAID.get(request.query_params.get("done", ""), "")


def after(address: str, done: str) -> RedirectResponse:
    """Lead on to a page, which says what was done."""
    path, mark, rest = address.partition("#")
    joint = "&" if "?" in path else "?"
    return RedirectResponse(f"{path}{joint}done={done}{mark}{rest}", 303)


def texts(form: FormData) -> dict[str, str]:
    """The fields of a form that hold text, the last of each name, with line ends as they are elsewhere."""
    return {name: value.replace("\r\n", "\n") for name, value in form.multi_items() if isinstance(value, str)}


async def _fields(request: Request) -> dict[str, str]:
    kind = request.headers.get("content-type", _PLAIN).partition(";")[0].strip().lower()
    if kind != _PLAIN:
        raise HTTPException(415, f"a form is sent as {_PLAIN}, and not as {kind[:100]}")
    try:
        return texts(await request.form(max_fields=_MOST_FIELDS))
    except UnicodeDecodeError:
        raise HTTPException(400, "the form is not UTF-8") from None


Fields = Annotated[dict[str, str], Depends(_fields)]
"""The fields of a form that was sent, for a route's parameter."""
