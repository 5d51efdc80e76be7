"""A board as a plain site: files that any host serves, or that are opened from the disk."""
