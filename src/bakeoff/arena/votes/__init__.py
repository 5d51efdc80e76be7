"""Votes as data: battles, the table that holds them, importers of what others published."""
