"""Benchmarks of programs that are run."""
