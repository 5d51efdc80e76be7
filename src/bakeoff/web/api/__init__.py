"""The API: what the pages show as JSON, under versioned paths, each answer with a described shape."""
