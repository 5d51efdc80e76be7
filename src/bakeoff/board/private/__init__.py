"""Boards whose answers stay home."""
