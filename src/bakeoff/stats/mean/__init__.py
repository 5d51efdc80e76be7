"""One score: intervals for a mean, by what the items are and how often they were asked."""
