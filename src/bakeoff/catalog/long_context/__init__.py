"""Long contexts made by rule: their length is an argument, and where the answer stands is recorded."""
