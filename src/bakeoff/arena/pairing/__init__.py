"""Which two models a live arena shows next: declared rules, and the probability of every draw."""
