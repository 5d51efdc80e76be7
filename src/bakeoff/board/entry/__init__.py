"""How a model comes in: who may, what it is, and what a worker opens for it."""
