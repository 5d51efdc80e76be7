"""Which prompts a live arena does not take: filters, each recorded with its name and version."""
