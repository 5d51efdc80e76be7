"""Whether an answer complies or refuses."""
