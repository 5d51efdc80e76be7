"""What a model may spend."""

from bakeoff.errors import ModelError
from bakeoff.model.remote.settings import RemoteSettings
from bakeoff.nouns import Usage


class Budget:
    """Counts tokens and money against their limits.

    Money is tokens times the given prices, cached prompt tokens at the full price: never less than the bill,
    tool and storage fees aside. Answers in flight when a limit is reached are still paid for.
    """

    def __init__(self, settings: RemoteSettings) -> None:
        self.tokens = 0
        self.cost = 0.0
        self._settings = settings

    @property
    def exhausted(self) -> str:
        """Why nothing more may be asked; empty while something may."""
        settings = self._settings
        if settings.max_cost is not None and self.cost >= settings.max_cost:
            return f"the budget max_cost={settings.max_cost:g} is spent ({self.cost:.4f} US dollars)"
        if settings.max_tokens_total is not None and self.tokens >= settings.max_tokens_total:
            return f"the budget max_tokens_total={settings.max_tokens_total} is spent ({self.tokens} tokens)"
        return ""

    def price(self, usage: Usage) -> float | None:
        """US dollars for `usage`; None without prices or without counts."""
        prices = self._settings.price_in, self._settings.price_out
        if None in prices or usage.prompt_tokens is None or usage.completion_tokens is None:
            return None
        return (usage.prompt_tokens * prices[0] + usage.completion_tokens * prices[1]) / 1e6  # type: ignore[operator]

    def add(self, usage: Usage) -> None:
        """Count what an answer used.

        Raises:
            ModelError: there is a limit and the server does not count, so the limit could not be kept.
        """
        limited = self._settings.max_cost is not None or self._settings.max_tokens_total is not None
        if usage.prompt_tokens is None or usage.completion_tokens is None:
            if limited:
                raise ModelError(
                    "a budget is set, but the server does not say how many tokens an answer used",
                    "Some servers count only answers that are not streamed: set stream=false.",
                )
            return
        self.tokens += usage.prompt_tokens + usage.completion_tokens
        self.cost += self.price(usage) or 0.0
