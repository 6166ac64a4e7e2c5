#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the sigmoid table as $readmemh reads it: sigma((i - 2048) / 256) in Q0.15, halves up, 0 below -6, 32767 above 6."""
import math


def entry(index):
    x = (index - 2048) / 256
    if x < -6:
        return 0
    sigma = 1.0 if x > 6 else 1 / (1 + math.exp(-x))
    return min(32767, math.floor(sigma * 32768 + 0.5))


if __name__ == "__main__":
    for i in range(4096):
        print(f"{entry(i):04x}")
