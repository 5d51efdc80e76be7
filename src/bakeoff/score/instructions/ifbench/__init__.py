"""The 58 instructions of IFBench (Pyatkin et al. 2025, arXiv:2507.02833), by family.

Each function takes the answer and says whether it follows. Their rules are the published checker's, with its
leniencies, so that scores can be compared; where it fails with an exception, loses count or misreads plain
English, a comment says what is done instead.
"""
