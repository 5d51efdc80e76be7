"""What workers do for a board, and what becomes of what they leave."""
