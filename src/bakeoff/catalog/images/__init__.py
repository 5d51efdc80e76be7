"""Pictures whose answers are known."""
