"""Routes: what is asked for in an address, answered with a page. A line for each file."""

from fastapi import APIRouter

from bakeoff.web.routes import (
    account,
    api,
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
