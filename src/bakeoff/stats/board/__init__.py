"""From tasks to one order: aggregation, win rates, weights, and trade-offs with cost."""
