"""The benchmarks that come with Bakeoff: one YAML file each, its generator beside it.

Nothing is imported from here to find a task: `task list` and `run` look for the files.
"""
