"""Every route there is, those in routers within routers too."""

from bakeoff.web.routes import ROUTERS


def routes():
    """Method, path, and the names of what may be in the query."""

    def walk(found, prefix):
        for each in found:
            if (inner := getattr(each, "original_router", None)) is not None:
                yield from walk(inner.routes, prefix + each.include_context.prefix)
            else:
                query = tuple(param.alias for param in each.dependant.query_params)
                yield from ((method, prefix + each.path, query) for method in each.methods)

    return sorted(found for router in ROUTERS for found in walk(router.routes, ""))
