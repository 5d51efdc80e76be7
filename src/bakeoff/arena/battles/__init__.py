"""Battles of a live arena: opened, answered, voted on, revealed; kept in the database."""
