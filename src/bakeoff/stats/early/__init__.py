"""Looking while the answers come in: evidence that stays valid at every look."""
