"""Does a model know when it is right? Calibration, ranking by confidence, and abstaining."""
