"""Two sections of the Law School Admission Test, of 1,000 people each (Bock & Lieberman 1970, Psychometrika
35:179).

How often each pattern of right answers to five items occurs, from 00000 to 11111.
"""

import numpy as np

# fmt: off
LSAT6 = [3, 6, 2, 11, 1, 1, 3, 4, 1, 8, 0, 16, 0, 3, 2, 15,
         10, 29, 14, 81, 3, 28, 15, 80, 16, 56, 21, 173, 11, 61, 28, 298]
LSAT7 = [12, 19, 1, 7, 3, 19, 3, 17, 10, 5, 3, 7, 7, 23, 8, 28,
         7, 39, 11, 34, 14, 51, 15, 90, 6, 25, 7, 35, 18, 136, 32, 308]
# fmt: on


def responses(frequencies):
    patterns = np.arange(32)[:, None] >> np.arange(4, -1, -1) & 1
    return np.repeat(patterns, frequencies, axis=0).astype(float)
