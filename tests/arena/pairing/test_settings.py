"""What an arena declares about its pairs."""

import pytest

from bakeoff.arena.pairing.rules import RULES
from bakeoff.arena.pairing.settings import PairingSettings
from bakeoff.errors import BakeoffError

CHANGES = {
    "rule": "uniform@1",
    "floor": 0.1,
    "least": 0.4,
    "most": 2.0,
    "newcomer_votes": 100,
    "newcomer_share": 1.2,
    "private_meet": True,
    "prior": 0.5,
    "every": 10,
}


def test_the_digest_names_every_setting():
    assert CHANGES.keys() == PairingSettings.model_fields.keys()
    digests = {PairingSettings(**{name: value}).digest for name, value in CHANGES.items()}
    assert len(digests | {PairingSettings().digest}) == 1 + len(CHANGES)
    assert PairingSettings(**PairingSettings().model_dump(mode="json")).digest == PairingSettings().digest


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"newcomer_share": 2.5}, "newcomer_share: is 2.5, and no share is above most, 2.5"),
        ({"floor": 0}, "floor: input should be greater than 0"),
        ({"floor": 0.6}, "floor: input should be less than or equal to 0.5"),
        ({"most": 1}, "most: input should be greater than 1"),
        ({"prior": float("nan")}, "prior"),
        ({"rule": "variance-reduction"}, "rule: input should be 'variance-reduction@1'"),
        ({"flor": 0.1}, "flor: there is no such key"),
    ],
)
def test_settings_that_cannot_be_are_refused_by_field(values, said):
    with pytest.raises(BakeoffError, match=said):
        PairingSettings(**values)


def test_each_rule_is_found_under_the_name_that_its_draws_bear(even_board):
    for name, rule in RULES.items():
        assert rule(even_board, PairingSettings(rule=name)).rule == name
