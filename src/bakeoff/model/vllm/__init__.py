"""Local models through vLLM, with many requests in flight: `vllm:ORG/NAME`."""

from bakeoff.model.vllm.model import VllmModel

__all__ = ["VllmModel"]
