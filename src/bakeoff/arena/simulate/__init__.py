"""Arenas whose truth is planted: what cheats do to a board, and what the rules give and cost."""
