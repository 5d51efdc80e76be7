"""Benchmarks of instructions that can be verified."""
