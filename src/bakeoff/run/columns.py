"""Which columns of a run's items are worth a score by their values."""

from pathlib import Path

from bakeoff.store import query

MOST = 30
"""Values that a column may have at most: more are no summary."""


def columns(folder: Path, most: int = MOST) -> tuple[str, ...]:
    """Names for `breakdown`: `group` and keys of the metadata, those with the fewest values first.

    A column has 2 to `most` values over the items, none of them a list or a mapping, and on average two items
    or more for each.
    """
    ((groups, items),) = query(folder, 'SELECT count(DISTINCT "group"), count(DISTINCT item_id) FROM samples')
    found = [("group", groups)]
    found += [(f"meta.{key}", values) for key, values, nested in query(folder, _KEYS) if not nested]
    kept = [(values, name) for name, values in found if 2 <= values <= min(most, items // 2)]
    return tuple(name for _, name in sorted(kept))


_KEYS = """
    WITH items AS (SELECT any_value(metadata) AS metadata FROM samples GROUP BY item_id),
         keys AS (SELECT metadata, unnest(json_keys(metadata)) AS key FROM items),
         paths AS (SELECT key, metadata, '/' || replace(replace(key, '~', '~0'), '/', '~1') AS path
                   FROM keys),
         cells AS (SELECT key, json_extract(metadata, path) AS value FROM paths)
    SELECT key, count(DISTINCT value::VARCHAR), bool_or(json_type(value) IN ('OBJECT', 'ARRAY'))
    FROM cells GROUP BY key ORDER BY key LIMIT 200
"""
