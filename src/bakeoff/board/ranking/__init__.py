"""Rows, ranks and dated states: what a board says, and why it says another thing than before."""
