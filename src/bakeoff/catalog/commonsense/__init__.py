"""Benchmarks of everyday sense."""
