"""A live arena while it runs: models are open, battles are answered whoever watches, votes are taken."""
