"""Code of unknown origin, run where it can do no harm; what it returns is data and decides nothing."""

from bakeoff.sandbox.errors import SandboxError
from bakeoff.sandbox.guest import Ended, Guest
from bakeoff.sandbox.launch import Launch, Tier
from bakeoff.sandbox.limits import Limits
from bakeoff.sandbox.slots import SLOTS, slot
from bakeoff.sandbox.tiers import sandbox

__all__ = ["SLOTS", "Ended", "Guest", "Launch", "Limits", "SandboxError", "Tier", "sandbox", "slot"]
