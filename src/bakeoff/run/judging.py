"""Judge one answer without holding up the others."""

import asyncio

from bakeoff.nouns import Item, Outcome, Response, Score
from bakeoff.score import Scorer, judge


async def judged(
    scorer: Scorer, item: Item, response: Response, *, refused: float, broken: str = ""
) -> Score:
    """The score of `response`; of an item that is `broken`, and says why, none."""
    if broken and response.failure is None:
        return Score(Outcome.SCORER_ERROR, None, None, broken[:500], scorer.id)
    if getattr(scorer, "blocking", False):
        # It waits for another process, or for a hostile text: requests in flight must not wait with it.
        return await asyncio.to_thread(judge, scorer, item, response, refused=refused)
    return judge(scorer, item, response, refused=refused)
