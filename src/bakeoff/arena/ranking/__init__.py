"""Boards by votes: scores, what they can bear, and the same votes seen by one voter or one kind of prompt."""
