"""What surrounds every answer. Plain ASGI, so that streams pass through."""
