"""Routes: what is asked for in an address, answered with a page. A line for each file.

Those of `arena_battle` are there where an arena is live alone: they take long to import.
"""

from fastapi import APIRouter

from bakeoff.web.routes import (
    account,
    api,
    arena_battles,
    arena_matrix,
    arena_policy,
    arena_ranking,
    arena_sampling,
    arenas,
    board,
    boards,
    compare,
    discussion,
    events,
    feed,
    login,
    oidc,
    policy,
    queue,
    run,
    runs,
    sample,
    search,
    submission,
    submit,
    task,
    tasks,
)

ROUTERS: tuple[APIRouter, ...] = (
    account.router,
    api.router,
    arena_battles.router,
    arena_matrix.router,
    arena_policy.router,
    arena_ranking.router,
    arena_sampling.router,
    arenas.router,
    board.router,
    boards.router,
    compare.router,
    discussion.router,
    events.router,
    feed.router,
    login.router,
    oidc.router,
    policy.router,
    queue.router,
    run.router,
    runs.router,
    sample.router,
    search.router,
    submission.router,
    submit.router,
    task.router,
    tasks.router,
)
