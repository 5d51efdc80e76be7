"""Text of unknown origin, made safe for pages."""
