"""Many models: which are told apart, which ranks they may have, what the first is really worth."""
