"""Ranked lists of documents: what is found, and how high."""
