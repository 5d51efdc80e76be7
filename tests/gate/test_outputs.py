import json
import re
from pathlib import Path
from xml.etree import ElementTree

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.gate.as_json import as_json
from bakeoff.gate.github import annotations
from bakeoff.gate.harmless import harmless
from bakeoff.gate.junit import junit
from bakeoff.gate.policy import Policy
from bakeoff.gate.report import Entry, Finding, Report
from bakeoff.gate.sentences import EXIT_CODES, headline, told
from bakeoff.gate.summary import plain, summary

VERDICTS = ("pass", "fail", "inconclusive")
HOSTILE = [
    "::error title=x::pwned",
    "\n::set-output name=a::b",
    "x\r\n  ::add-mask::secret",
    "##[set-env name=A]b",
    "a%0A::error::b",
    "]]></failure><testcase name='x'/>",
    "\x00\x01\x1b[2J\x85\ufffe\uffff\ud800",
    "| a | b |\n|---|---|",
    "<img src=x onerror=alert(1)> **b** [l](http://x.y) @someone #1 www.x.y `c` $x$",
    "::" * 5,
    ":##[::##[error]",
    "ok",
]


def report(text: str, verdicts=VERDICTS) -> Report:
    """A report with `text` wherever text of others can stand."""
    findings = tuple(
        Finding(text, "floor", verdict, f"reason {text}", f"help {text}", n=3, high=float("inf"))
        for verdict in verdicts
    )
    entry = Entry(
        text,
        text,
        text,
        text,
        0.5,
        3,
        None,
        text,
        text,
        text,
        0.6,
        0,
        1,
        2,
        0.04,
        (text,),
        {text: 1},
        (text,),
    )
    worst = max(verdicts, key=["pass", "inconclusive", "fail"].index)
    return Report(worst, Policy(), (entry,), findings, 1, (text,))


texts = (
    st.sampled_from(HOSTILE)
    | st.text()
    | st.lists(st.sampled_from(":#[%\r\n\t ,a"), max_size=12).map("".join)
)


# A command to GitHub's runner is `::name` at the start of a line, after white space, or `##[name` anywhere.
def commands(output: str) -> list[str]:
    lines = re.split(r"\r\n|\r|\n", output)
    return [line for line in lines if line.lstrip().startswith("::") or "##[" in line]


@given(texts)
def test_annotations_are_commands_of_ours_alone_a_line_each(text):
    lines = annotations(report(text))
    output = "\n".join(lines)
    assert commands(output) == lines == output.split("\n")
    assert len(lines) == 3
    for line in lines:
        name, properties, message = re.fullmatch(r"::(\w+) title=([^:,\r\n]*)::([^\r\n]*)", line).groups()
        assert name in ("error", "warning", "notice")
        assert not re.search(r"%(?!25|0D|0A|3A|2C)", properties + message)


@given(texts)
def test_nothing_shown_to_people_is_a_command(text):
    for output in (told(report(text)), harmless(text), as_json(report(text)).decode()):
        assert commands(output) == []
    assert "\n" not in harmless(text)


@given(texts, st.lists(st.sampled_from(VERDICTS), min_size=1, max_size=4))
def test_junit_is_xml_whose_counts_are_its_cases(text, verdicts):
    data = junit(report(text, verdicts))
    root = ElementTree.fromstring(data)
    assert root.tag == "testsuites"
    (suite,) = root.findall("testsuite")
    cases = suite.findall("testcase")
    for element in (root, suite):
        assert element.get("tests") == str(len(verdicts))
        assert element.get("failures") == str(verdicts.count("fail"))
        assert element.get("errors") == str(verdicts.count("inconclusive"))
        assert element.get("skipped") == "0"
    for case, verdict in zip(cases, verdicts, strict=True):
        assert set(case.attrib) == {"classname", "name", "time"}
        children = [child.tag for child in case]
        assert children == {"pass": ["system-out"], "fail": ["failure"], "inconclusive": ["error"]}[verdict]
        if verdict != "pass":
            assert set(case[0].attrib) == {"type", "message"}
    order = ["properties", *["testcase"] * len(cases), "system-out"]
    assert [child.tag for child in suite] == order
    # XML 1.0, section 2.2
    assert not re.search("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", data.decode())


@pytest.mark.parametrize("text", HOSTILE)
def test_junit_says_what_was_said_but_for_what_is_not_seen(text):
    root = ElementTree.fromstring(junit(report(text)))
    assert root.find(".//failure").get("message").startswith("reason ")
    if text.isprintable():
        assert root.find(".//failure").get("message") == f"reason {text}"
        assert root.find("testsuite").get("name") == text


@given(texts)
def test_a_summary_has_the_lines_it_has_whatever_is_said(text):
    lines, expected = summary(report(text)).split("\n"), summary(report("x")).split("\n")
    assert len(lines) == len(expected)
    for line, like in zip(lines, expected, strict=True):
        assert line.count("|") == like.count("|")
        assert line.count("<") == like.count("<") == line.count("<br>")
        assert line.count("**") == like.count("**")


@given(texts)
def test_plain_leaves_no_sign_that_markdown_or_html_reads(text):
    assert not set("<>`*_[]|~#@:$!\\\n\r") & set(re.sub(r"&#\d+;", "", plain(text)))
    assert "&" not in re.sub(r"&#\d+;", "", plain(text))


@given(texts)
def test_json_holds_the_text_as_it_is_and_the_exit_code(text):
    made = report(text.encode("utf-8", "replace").decode())
    value = json.loads(as_json(made))
    assert value["exit_code"] == EXIT_CODES[made.verdict] == 1
    assert value["findings"][0]["reason"] == made.findings[0].reason
    assert value["findings"][0]["high"] is None
    assert orjson.loads(as_json(made)) == value


def test_the_exit_codes_are_those_documented():
    assert EXIT_CODES == {"pass": 0, "fail": 1, "inconclusive": 3}
    text = (Path(__file__).parents[2] / "docs/reference/command-line.md").read_text()
    for verdict, code in EXIT_CODES.items():
        assert re.search(rf"{code} \(?{verdict}|{verdict}[^|\n]{{0,12}}{code}", text), verdict


@pytest.mark.parametrize(
    ("verdicts", "says"),
    [
        (["pass"], "pass"),
        (["pass", "pass"], "pass: all 2 checks passed"),
        (["fail", "pass"], "fail: 1 of 2 checks failed"),
        (["fail", "inconclusive", "pass"], "fail: 1 of 3 checks failed, 1 inconclusive"),
        (["inconclusive", "pass"], "inconclusive: 1 of 2 checks inconclusive"),
    ],
)
def test_the_headline_counts(verdicts, says):
    assert headline(report("x", verdicts)) == says
