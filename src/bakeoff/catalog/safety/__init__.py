"""Benchmarks of refusal, bias and sycophancy."""
