"""Every detail here is made up, or one that its standard gives as an example."""

from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.arena.sharing.personal import luhn, without_personal

# In two pieces, so that nobody who scans published code takes them for lost keys.
KEYS = [
    "sk-" + "proj-4fGh7KqLmN0pQr5tUvWx",
    "ghp_" + "abcdefghijABCDEFGHIJ0123456789abcdef",
    "github_pat_" + "11ABCDEFG0abcdefghij_KLMNOPQRSTUVWX",
    "AKIA" + "IOSFODNN7EXAMPLE",
    "AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
    "hf_" + "AbCdEfGhIjKlMnOpQrStUvWxYz01234567",
    "xoxb-" + "123456789012-abcdefABCDEF",
    "eyJ" + "hbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
    "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIBOgIBAAJBAK\n8yRn\n-----END RSA " + "PRIVATE KEY-----",
]
DETAILS = {
    "mail": [
        "jane.doe@example.com",
        "j+news@mail.example.co.uk",
        "jürgen@beispiel-firma.de",
        "jane [at] example [dot] org",
        "jane(at)example.org",
        "~jane@example.org",
        "imprint(at)example(dot)com",
    ],
    "phone": [
        "+49 30 12345678",
        "+1 (555) 234-5678",
        "+44 20 7946 0958",
        "+33612345678",
        "0049 170 1234567",
        "(555) 234-5678",
        "212-555-0123",
        "212.555.0123",
        "1-800-555-0199",
        "06 12 34 56 78",
        "0171 1234567",
        "030/1234567",
        "030-123 456 78",
        "01711234567",
        "0612345678",
        "0800 169 6031",
        "(030) 1234567",
    ],
    "card": [
        "4111 1111 1111 1111",
        "4111111111111111",
        "5555-5555-5555-4444",
        "378282246310005",
        "2223003122003222",
        "6011111111111117",
        "3530111333300000",
    ],
    "iban": [
        "DE89 3704 0044 0532 0130 00",
        "DE89370400440532013000",
        "GB29 NWBK 6016 1331 9268 19",
        "FR14 2004 1010 0505 0001 3M02 606",
        "NO93 8601 1117 947",
    ],
    "ip": ["8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "2a00:1450:4001:081b:0000:0000:0000:2004"],
    "key": KEYS,
}
ALL = [(kind, each) for kind, there in DETAILS.items() for each in there]
STAYS = [
    "2024-01-15",
    "15.01.2024",
    "01/02/2024 10:30:00",
    "2024-01-15T10:30:00.123456Z",
    "1705312200",
    "1705312200000",
    "from 1990 to 2024",
    "1.2.3",
    "v1.2.3.4",
    "version 1.2.3.4",
    "pkg==1.2.3.4",
    "Chrome/120.0.6099.109",
    "react@18.2.0",
    "$1,299.00",
    "1 299,00 EUR",
    "1.234.567,89 €",
    "12 345 678",
    "100000000000000000000",
    "0.4111111111111111",
    "3.14159265358979",
    "1234 5678 9012 3456",
    "978-3-16-148410-0",
    "ISBN 0-306-40615-2",
    "550e8400-e29b-41d4-a716-446655440000",
    "0" * 40,
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "192.168.0.1",
    "10.0.0.1",
    "127.0.0.1",
    "255.255.255.0",
    "::1",
    "fe80::1",
    "std::vector<int> a(10);",
    "abcd::beef()",
    "@app.route('/users/<id>')",
    "git@github.com:org/repository.git",
    "x = matrix @ vector.T",
    "for i in range(0, 1000000): a[i] = b[-i - 1]",
    "1 + 2 - 3 = 0",
    "f(0.001, 0.002, 0.003)",
    "0x7fff5fbff8c0",
    "PRIVATE KEY",
    "https://example.com/a/b?c=12345678#d",
    "10:30:45",
    "meet at 5 (at noon)",
    "Room 0815",
    "-1234567890",
    "192.168.0.0/16",
    "20 000 000",
    "a score of 1000 to 2000, then 3000",
    "E = mc2, 6.022e23",
    "1-2-3-4-5-6-7-8-9",
    "sk-learn and sk-image",
    "1e-10, 1e-11",
    "12345678-1234",
    "SELECT 1, 2, 3, 4, 5, 6, 7 FROM t",
    "85 000 000 people",
    "10.1000/182",
    "arXiv:2403.04132",
    "the text 20240115 1234567",
    "1,059 - 927 = 132",
    "$24,035 115",
    "(1,059,077-902,547)/902,547",
    "121,041 / 154,619",
    "071-075 or 077-079",
    "ISSN 0113-1141",
    "+2020-01-01",
    "the phone can hold 10800-2500 pictures",
    "0101010101",
    "0123456789",
    "01234567890",
    'an ISBN such as "0321751043"',
    "01010101010101",
    "ISBN 0684801221",
    "4862025000000",
    "224.0.0.1",
    "1.2.3.4,5,6,7",
    "hf_checkpoint2_01052024",
    "sk-learn-and-other-libraries",
]


@pytest.mark.parametrize(("kind", "detail"), ALL)
def test_a_detail_goes_and_is_counted_by_its_kind(kind, detail):
    for around in ("{}", "Mine is {}.", "«{}», or\n{}!", "a: {}, thanks"):
        n = around.count("{}")
        found = without_personal(around.format(*[detail] * n))
        assert found.text == around.format(*[f"[{kind} removed]"] * n)
        assert found.removed == {kind: n}


@pytest.mark.parametrize("text", STAYS)
def test_what_is_no_detail_stays(text):
    for around in ("{}", "It says {} here.", "({})", '"{}",'):
        written = around.format(text)
        assert without_personal(written).text == written


def test_a_number_that_is_said_to_be_one_goes_and_the_words_stay():
    assert without_personal("call me: 5551234").text == "call me: [phone removed]"
    assert without_personal("Telefon 1711234567").text == "Telefon [phone removed]"
    assert without_personal("Phone: (123) 456-7890!").text == "Phone: [phone removed]!"
    assert without_personal("Tel. +61 4 1234 5678").text == "Tel. [phone removed]"


def test_a_password_in_an_address_goes():
    found = without_personal("postgresql://ann:" + "secret1" + "@db.example.com/votes")
    assert found.text == "postgresql://[key removed]@db.example.com/votes"


def test_kinds_beside_one_another_are_all_found():
    text = "Ann, ann@example.com, +49 30 12345678, DE89 3704 0044 0532 0130 00 ALWAYS, 4111 1111 1111 1111"
    found = without_personal(text)
    assert found.removed == {"mail": 1, "phone": 1, "iban": 1, "card": 1}
    assert found.text == "Ann, [mail removed], [phone removed], [iban removed] ALWAYS, [card removed]"


def test_what_is_left_holds_nothing_more_to_remove():
    text = "\n".join(each for _, each in ALL)
    once = without_personal(text)
    assert without_personal(once.text).removed == {}
    assert sum(once.removed.values()) == len(ALL)


@given(st.text(alphabet="0123456789", min_size=1, max_size=18))
def test_of_the_ten_possible_check_digits_exactly_one_is_right(digits):
    assert sum(luhn(digits + str(last)) for last in range(10)) == 1


@given(st.text(alphabet="0123456789", min_size=12, max_size=12), st.integers(0, 11), st.integers(1, 9))
def test_one_wrong_digit_is_always_noticed(digits, place, by):
    whole = next(digits + str(last) for last in range(10) if luhn(digits + str(last)))
    changed = str((int(whole[place]) + by) % 10)
    assert not luhn(whole[:place] + changed + whole[place + 1 :])


HOMES = ["10.0.0.0/8", "192.168.0.0/16", "172.16.0.0/12", "127.0.0.0/8"]


@given(st.sampled_from(HOMES), st.integers(0, 65535))
def test_addresses_of_home_networks_stay(network, host):
    text = f"ping {ip_network(network)[host]} twice"
    assert without_personal(text).text == text


@given(st.text(max_size=400))
def test_no_text_breaks_it(text):
    found = without_personal(text)
    assert (found.text == text) == (not found.removed)
