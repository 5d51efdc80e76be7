"""What a live arena gives out, and for how long it keeps texts."""
