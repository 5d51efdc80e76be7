"""Model judges as voters: what their verdicts on pairs of answers are worth as votes."""
