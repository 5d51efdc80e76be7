"""The 25 instructions of IFEval (Zhou et al. 2023, arXiv:2311.07911), by family.

Each function takes the answer and says whether it follows. Their rules are the published checker's, with its
leniencies, so that scores can be compared; where it draws at random, fails with an exception or depends on
an unseeded detector, a comment says what is done instead.
"""
