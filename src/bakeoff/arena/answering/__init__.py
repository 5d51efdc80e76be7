"""Two models answer one prompt at one pace, and nothing shows which they are."""
