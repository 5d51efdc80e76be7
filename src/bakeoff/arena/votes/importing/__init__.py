"""Votes that others published, one file a format."""
