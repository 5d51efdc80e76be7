"""One rule a file: what of the ledger breaks it."""
