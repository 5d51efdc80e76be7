"""Routes: what is asked for in an address, answered with a page. A line for each file."""

from fastapi import APIRouter

from bakeoff.web.routes import boards

ROUTERS: tuple[APIRouter, ...] = (boards.router,)
