"""A counter of your own, to copy and change.

Think of a clerk who closes the book after every block of steps. Inside a block each step's reports are published by
themselves, with noise. When a block ends, its total is published once more, with fresh noise, and from then on only
that total is used. The count is the sum of all closed blocks plus the steps since.

How far can one report move what is published? It is in at most two numbers, one step's and one block's total, by 1
each: sqrt(1 + 1). That is the sensitivity, and the house draws its noise from it. Claim less and the lab will notice,
because it measures.

How much noise is on the count? One draw for each closed block and one for each step since: at most about T/b + b draws
for blocks of b steps. With b near sqrt(T) the noise grows like T^(1/4); adding up every single step, like T^(1/2).
"""

import math


class BlockCounter:
    def __init__(self, horizon):
        self.length = max(2, round(math.sqrt(horizon)))
        self.sensitivity = math.sqrt(2)
        self.step = 0
        self.block = 0  # true reports of the open block
        self.closed = 0  # noisy totals of the closed blocks
        self.open = 0  # noisy steps of the open block

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
