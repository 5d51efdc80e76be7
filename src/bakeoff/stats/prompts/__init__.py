"""What the wording does: variance over prompts, items and repeats."""
