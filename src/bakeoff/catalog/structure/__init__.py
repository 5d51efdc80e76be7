"""Benchmarks of structured answers: JSON by schema, and calls of functions."""
