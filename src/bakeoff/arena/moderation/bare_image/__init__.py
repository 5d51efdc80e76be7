"""Images of voters without what cameras and programs write into them: where, when, and by whom."""
