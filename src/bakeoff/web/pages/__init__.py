"""Pages: for each a data class and the function that makes it; no HTML."""
