"""Benchmarks of reasoning."""
