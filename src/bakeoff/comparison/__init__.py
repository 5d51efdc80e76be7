"""Two or more runs on the same items: differences, ranks, groups, and what would settle the rest."""
