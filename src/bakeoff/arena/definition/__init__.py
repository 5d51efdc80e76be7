"""What defines a live arena: its file, and what puts it into force."""
