"""The cookies of the site: who one is, and that one is about to log in elsewhere."""

from fastapi.responses import Response

SESSION, ERRAND = "bakeoff", "bakeoff-login"


def cookie_name(name: str, *, secure: bool) -> str:
    """The name as it is sent. With https its prefix lets no other host or path have set it (RFC 6265bis)."""
    return f"__Host-{name}" if secure else name


def put_cookie(response: Response, name: str, value: str, *, secure: bool, seconds: float) -> None:
    """Let the browser keep a secret for so many seconds. No script can read it, and a form of another site
    does not send it.
    """
    response.set_cookie(
        cookie_name(name, secure=secure),
        value,
        max_age=int(seconds),
        path="/",
        secure=secure,
        httponly=True,
        samesite="lax",
    )


def drop_cookie(response: Response, name: str, *, secure: bool) -> None:
    """Let the browser forget it."""
    response.delete_cookie(
        cookie_name(name, secure=secure), path="/", secure=secure, httponly=True, samesite="lax"
    )
