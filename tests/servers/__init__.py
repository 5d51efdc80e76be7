"""Servers that tests talk to: one that misbehaves on purpose, one that runs a real model."""
