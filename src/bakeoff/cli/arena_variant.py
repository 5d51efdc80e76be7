"""`bakeoff arena variant`: register, list, release and move variants; `rate` is in a file of its own."""

from typing import Annotated

from cyclopts import App, Parameter

from bakeoff.arena.policy.life import State
from bakeoff.arena.policy.variant import Licence
from bakeoff.cli.arena_variant_rate import rate
from bakeoff.cli.board_database import opened, user

Flag = Annotated[bool, Parameter(negative=())]

app = App(
    name="variant",
    help="The variants of an arena: each is registered before its first vote, and none is ever gone.",
    help_format="plaintext",
    result_action="return_value",
)
app.command(rate)


@app.command
def register(
    arena: str,
    name: str,
    *,
    provider: str,
    family: str,
    licence: Licence,
    private: Flag = False,
    weights: str = "",
    api_model: str = "",
    api_date: str = "",
    system_prompt: str = "",
    decoding: str = "",
    database: str | None = None,
) -> None:
    """Make a variant known, before it is shown to anybody.

    Example: bakeoff arena variant register chat orca-1 --provider Acme --family orca --licence proprietary
             --private --api-model orca-large --api-date 2026-03-01

    Parameters
    ----------
    arena:
        The arena's name, as in its policy.
    name:
        The variant's name, as in its votes.
    provider:
        Whose it is, always in one spelling.
    family:
        What its provider chooses one of: the variants of a coming model are one family.
    licence:
        The class of its licence.
    private:
        It is tested before its release. A provider has so many of these at once as the policy says.
    weights:
        The digest of its weights; or else --api-model and --api-date.
    api_model:
        Its name in its provider's API.
    api_date:
        The date of that version.
    system_prompt:
        The digest of its system prompt, if it has one.
    decoding:
        How its answers are drawn, such as "temperature=0.7".
    database:
        The address of the database; by default BAKEOFF_DATABASE_URL, or bakeoff.db in this folder.
    """
    from bakeoff.arena.policy.variant import Artefact
    from bakeoff.arena.policy.variants import register as make_known
    from bakeoff.arena.policy.variants import variants
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing
    from bakeoff.visible import visible

    artefact = Artefact(weights, api_model, api_date, system_prompt, decoding)
    with opened(database) as engine, writing(engine) as connection:
        made = make_known(
            connection,
            arena,
            name,
            provider=provider,
            family=family,
            licence=licence,
            artefact=artefact,
            access="private" if private else "public",
            actor=user(),
        )
        same = [each.name for each in variants(connection, arena) if each.artefact == artefact]
    out = stdout()
    out.print(
        f"{visible(made.name)} is {made.state} in {visible(arena)} as {made.access}, "
        f"artefact {artefact.digest[7:19]}",
        soft_wrap=True,
    )
    for each in same:
        if each != made.name:
            out.print(f"it is the same as {visible(each)}, and the log says so", soft_wrap=True)


@app.command(name="list")
def list_(arena: str, *, database: str | None = None, json: Flag = False) -> None:
    """All variants there ever were, those that were withdrawn too, in the order of their registration.

    Example: bakeoff arena variant list chat

    Parameters
    ----------
    arena:
        The arena's name.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.arena.policy.adopting import in_force
    from bakeoff.arena.policy.variants import variants
    from bakeoff.cli.arena_variant_view import print_variants
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import reading

    with opened(database) as engine, reading(engine) as connection:
        in_force(connection, arena)  # a mistyped arena is no empty one
        found = tuple(variants(connection, arena))
    if json:
        print_json(found)
    else:
        print_variants(stdout(), found)


@app.command
def release(
    arena: str,
    name: str,
    *,
    weights: str = "",
    api_model: str = "",
    api_date: str = "",
    system_prompt: str = "",
    decoding: str = "",
    verified: Flag = False,
    reason: str = "",
    database: str | None = None,
) -> None:
    """Make a variant public, as provisional. Votes of the days after this one are fresh.

    What is public is named once more, as for `register`: if it is another than what was registered, the
    votes are not on it, and it is refused.

    Example: bakeoff arena variant release chat orca-1 --api-model orca-large --api-date 2026-03-01 --verified

    Parameters
    ----------
    arena:
        The arena's name.
    name:
        The variant's name.
    weights:
        The digest of the public weights; or else --api-model and --api-date.
    api_model:
        Its name in its provider's API.
    api_date:
        The date of that version.
    system_prompt:
        The digest of its system prompt, if it has one.
    decoding:
        How its answers are drawn.
    verified:
        That was looked at. Without it the row says that its provider claims it.
    reason:
        What is to be kept in the log beside it.
    database:
        The address of the database.
    """
    from bakeoff.arena.policy.variant import Artefact
    from bakeoff.arena.policy.variants import release as make_public
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing
    from bakeoff.visible import visible

    public = Artefact(weights, api_model, api_date, system_prompt, decoding)
    with opened(database) as engine, writing(engine) as connection:
        made = make_public(connection, arena, name, public, verified=verified, actor=user(), reason=reason)
    known = "verified" if verified else "claimed by its provider"
    stdout().print(
        f"{visible(made.name)} is {made.state}; that it is the registered model is {known}", soft_wrap=True
    )


@app.command
def move(
    arena: str,
    name: str,
    state: State,
    *,
    reason: str = "",
    rule: str = "",
    database: str | None = None,
) -> None:
    """Put a variant into another state, as far as the policy allows it. One that is withdrawn stays in sight.

    Example: bakeoff arena variant move chat orca-2 withdrawn --reason "another variant was chosen"

    Parameters
    ----------
    arena:
        The arena's name.
    name:
        The variant's name.
    state:
        The state that follows. `provisional` for the first time is `release`.
    reason:
        Why; shown on the row. Nothing is removed or disputed without one.
    rule:
        The rule of the policy by which a row is retired.
    database:
        The address of the database.
    """
    from bakeoff.arena.policy.variants import move as put
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing
    from bakeoff.visible import visible

    with opened(database) as engine, writing(engine) as connection:
        made = put(connection, arena, name, state, actor=user(), reason=reason, rule=rule)
    stdout().print(f"{visible(made.name)} is {made.state}", soft_wrap=True)
