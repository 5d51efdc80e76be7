"""The page of a classification: whole, safe, and with every drawing in numbers too."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from bakeoff.classification import Costs, Matrix, classify
from bakeoff.classification.chart import HEIGHT, WIDTH, amount_axis, band, line, log_axis, share_axis
from bakeoff.classification.page import page
from tests.classification.runs import asked, generated, likely
from tests.classification.test_of_run import spread
from tests.cli.command import bakeoff

VOID = {"meta", "br", "line", "circle", "path", "link"}


class Balanced(HTMLParser):
    """Every element that is opened is closed, in its order."""

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def parsed(document):
    found = Balanced()
    found.feed(document)
    assert found.open == []
    return found


def test_all_curves_are_drawn_and_stand_in_tables_too(tmp_path):
    report = classify(likely(tmp_path, spread(200)), costs=Costs(1, 20), prevalence=0.01, sweep=True)
    found = parsed(page(report))
    figures = [attrs["id"] for tag, attrs in found.seen if tag == "h3"]
    assert figures == ["precision-recall", "roc", "cost", "reliability", "prevalence", "prices"]
    assert sum(tag == "details" for tag, _ in found.seen) == len(figures)
    assert sum(tag == "table" for tag, _ in found.seen) >= len(figures) + 3
    ids = [attrs["id"] for _, attrs in found.seen if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert not [tag for tag, _ in found.seen if tag in ("script", "link", "img", "iframe")]
    text = " ".join("".join(found.text).split())
    assert "Of 20 positives the model finds" in text
    assert "200 of 200 answers count" in text


def test_positions_stay_in_the_plot(tmp_path):
    report = classify(likely(tmp_path, spread(200)), costs=Costs(1, 20), prevalence=0.01, sweep=True)
    for path in re.findall(r'class="curve [^"]*" d="([^"]+)"', page(report)):
        for across, down in re.findall(r"([-\d.]+) ([-\d.]+)", path):
            assert 0 <= float(across) <= WIDTH
            assert 0 <= float(down) <= HEIGHT


def test_generated_labels_have_a_page_without_curves_of_probabilities(tmp_path):
    report = classify(generated(tmp_path, [("a", "a"), ("a", "b"), ("b", "b"), ("b", "")]), positive="b")
    found = parsed(page(report))
    assert not [attrs for tag, attrs in found.seen if tag == "figure"]
    assert "(empty)" in "".join(found.text)
    three = generated(tmp_path / "3", [("a", "a"), ("b", "b"), ("c", "a")])
    prices = {y: {a: 1.0 for a in "abc" if a != y} for y in "abc"}
    assert "always a" in page(classify(three, positive="c", costs=Matrix(prices), sweep=True))


def test_what_a_model_or_a_task_says_is_never_markup(tmp_path):
    bad = "<script>alert(1)</script>\x1b[2J\u202e"
    items = [
        {"id": f"i{k}{bad}", "input": f"{k} {bad}", "target": bad if k else "ham", "kind": bad}
        for k in range(3)
    ]
    run = asked(tmp_path, items, [bad, "ham", bad], scorer="exact", fields={"metadata": {"kind": "kind"}})
    document = page(classify(run, positive="ham", by="meta.kind", texts=True))
    assert "<script" not in document
    assert "\x1b" not in document
    assert "\u202e" not in document
    assert "&lt;script&gt;" in document
    parsed(document)


def test_texts_are_there_when_asked_for_and_never_those_of_a_private_task(tmp_path):
    items = [{"id": f"q{k}", "input": f"Say: words {k}", "target": "ab"[k % 2]} for k in range(4)]
    for private in (False, True):
        run = asked(tmp_path / str(private), items, ["a", "b", "b", "a"], scorer="exact", private=private)
        assert "words 1" not in page(classify(run, positive="a"))
        shown = classify(run, positive="a", texts=True)
        assert ("words 1" in page(shown)) is not private
        assert any("private" in note for note in shown.notes) is private


def test_the_command_writes_it(tmp_path):
    likely(tmp_path, spread(200))
    done = bakeoff(tmp_path, "classify", "last", "--costs", "fp=1,fn=20", "--html", "report.html")
    assert done.returncode == 0, done.stderr
    assert "as a page: report.html" in done.stdout
    assert parsed((tmp_path / "report.html").read_text("utf-8")).seen


def test_a_line_goes_from_the_lower_left_to_the_upper_right():
    x, y = share_axis("x"), share_axis("y")
    assert line(x, y, [(0, 0), (1, 1)]) == f"M0.0 {HEIGHT}.0L{WIDTH}.0 0.0"
    stepped = line(x, y, [(0, 0), (0.5, 1)], steps=True)
    assert stepped == f"M0.0 {HEIGHT}.0L180.0 {HEIGHT}.0L180.0 0.0"
    assert band(x, y, [(0, 0, 1)]) == ""
    assert band(x, y, [(0, 0, 1), (1, 0, 1)]).endswith("Z")


@pytest.mark.parametrize("highest", [0.3, 1, 7, 12, 99, 250, 4_000, 123_456])
def test_an_axis_of_amounts_has_few_round_ticks_and_holds_the_highest(highest):
    axis = amount_axis("cost", [0, highest])
    assert axis.high >= highest
    assert 2 <= len(axis.ticks) <= 6
    assert axis.high < 2 * highest


def test_a_logarithmic_axis_gives_each_power_the_same_room():
    axis = log_axis("share", 0.001, 0.1)
    assert [axis.share(value) for value in (0.001, 0.01, 0.1)] == pytest.approx([0, 0.5, 1])
    assert [word for _, word in axis.ticks] == ["0.1", "1", "10"]


def test_the_styles_are_in_the_package():
    import bakeoff.classification

    folder = Path(bakeoff.classification.__file__).parent
    assert (folder / "page.css").exists()
    assert (folder / "page.html").exists()
