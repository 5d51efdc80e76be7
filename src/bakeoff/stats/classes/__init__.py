"""Yes-or-no decisions: rare positives, prevalence, costs, and judges corrected by people."""
