"""`bakeoff serve --oidc-…`: what is missing or wrong is said before anything listens."""

import pytest

from bakeoff.web.settings import Oidc
from tests.cli.command import bakeoff

GIVEN = ["--oidc-issuer", "https://id.example.org", "--oidc-client", "bakeoff"]
SECRET = "s3cret-of-the-client"


@pytest.mark.parametrize(
    ("arguments", "secret", "said"),
    [
        (["--oidc-issuer", "https://id.example.org"], SECRET, "--oidc-client"),
        (GIVEN, "", "the client's secret is missing"),
        ([*GIVEN, "--oidc-secret-file", "no-such-file"], SECRET, "no-such-file cannot be read"),
        ([*GIVEN, "--oidc-secret-file", "empty"], "", "the client's secret is missing"),
        ([*GIVEN, "--oidc-role", "staff"], SECRET, "staff is not GROUP=ROLE"),
        ([*GIVEN, "--oidc-role", "staff=king"], SECRET, "the roles are member, moderator, admin"),
        ([*GIVEN, "--oidc-role", "=admin"], SECRET, "is not GROUP=ROLE"),
        (["--oidc-issuer", "http://id.example.org", *GIVEN[2:]], SECRET, "it begins with https://"),
        (["--oidc-issuer", "id.example.org", *GIVEN[2:]], SECRET, "is no address of a provider"),
        (["--oidc-issuer", "https://", *GIVEN[2:]], SECRET, "is no address of a provider"),
    ],
)
def test_what_is_wrong_is_said_and_the_secret_is_not(tmp_path, arguments, secret, said):
    (tmp_path / "empty").write_text("\n")
    done = bakeoff(tmp_path, "serve", *arguments, BAKEOFF_OIDC_SECRET=secret)
    assert done.returncode == 2
    assert said in done.stderr
    assert SECRET not in done.stdout + done.stderr


def test_the_secret_is_no_argument(tmp_path):
    assert "--oidc-secret " not in bakeoff(tmp_path, "serve", "--help").stdout


def test_the_secret_is_not_shown_with_the_settings():
    shown = Oidc("https://id.example.org", "bakeoff", SECRET)
    assert SECRET not in f"{shown} {shown!r}"
