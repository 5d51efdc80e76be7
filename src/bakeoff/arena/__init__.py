"""Arenas: rankings of models by the votes of people who see two answers without names."""
