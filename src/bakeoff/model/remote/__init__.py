"""Models behind HTTP: the OpenAI and Anthropic wire formats, with pacing, retries and budgets."""

from bakeoff.model.remote.anthropic import AnthropicModel
from bakeoff.model.remote.openai import OpenAIModel

__all__ = ["AnthropicModel", "OpenAIModel"]
