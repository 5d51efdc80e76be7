"""Benchmarks of mathematics."""
