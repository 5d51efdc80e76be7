"""Benchmarks of what a model knows."""
