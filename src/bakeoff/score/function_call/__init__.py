"""Function calling: the calls in an answer against those an item accepts. Nothing is ever executed."""
