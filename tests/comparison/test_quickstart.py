import pytest

from bakeoff.comparison.quickstart import FAMILIES, quickstart


@pytest.mark.model
def test_the_quickstart_runs_every_family_under_two_prompts_on_a_real_model(smollm2_path, tmp_path):
    rows = quickstart(model="gguf:smollm2", limit=3, out=tmp_path, cache=False)
    assert [row.task for row in rows] == list(FAMILIES)
    for row in rows:
        assert row.complete
        assert row.default.counts["total"] == row.other.counts["total"] == 3
        assert row.pair.n == 3
        assert all((folder / "samples.parquet").exists() for folder in row.folders)
    # Four differences that hold together at 95 %: each at 98.75 %.
    assert rows[0].pair.interval.level == pytest.approx(0.9875)
