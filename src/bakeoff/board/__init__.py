"""Boards: versioned rankings that a service keeps, and rules that hold for everyone on them."""
