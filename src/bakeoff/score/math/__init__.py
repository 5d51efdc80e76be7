"""Mathematical answers: where an answer stands, and whether it means the same as the target."""
