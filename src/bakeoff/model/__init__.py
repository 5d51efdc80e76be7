"""Who answers: models behind engines, opened by reference."""

from bakeoff.model.open import open_model
from bakeoff.model.packaged import packaged_path
from bakeoff.model.probe import ProbeReport, probe
from bakeoff.model.protocol import Capabilities, Identity, Model

__all__ = ["Capabilities", "Identity", "Model", "ProbeReport", "open_model", "packaged_path", "probe"]
