"""Boards of numbers that others report."""
