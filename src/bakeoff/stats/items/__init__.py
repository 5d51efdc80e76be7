"""The questions themselves: difficulty, discrimination, and whether their order was seen before."""
