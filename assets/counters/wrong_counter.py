"""The same block counter with a wrong claim: find the mistake before the lab does.

"A report is one report, so it moves things by 1." But it is published twice: in its step and in its block's total.
Noise drawn for 1 is too small, and the promise would be broken. The lab measures sqrt(2) and refuses.
"""

import math


class ForgetfulCounter:
    def __init__(self, horizon):
        self.length = max(2, round(math.sqrt(horizon)))
        self.sensitivity = 1.0
        self.step = 0
        self.block = 0
        self.closed = 0
        self.open = 0

    def encode(self, reports):
        self.step += 1
        self.block = self.block + reports
        if self.step % self.length:
            return [reports]
        total, self.block = self.block, 0
        return [total]

    def decode(self, noisy):
        if self.step % self.length:
            self.open = self.open + noisy[0]
        else:
            self.closed, self.open = self.closed + noisy[0], 0
        return self.closed + self.open
