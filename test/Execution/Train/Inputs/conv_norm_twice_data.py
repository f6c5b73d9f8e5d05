"""Zachary's karate club, with features and weights that are sums of powers of two."""
VERTICES, WIDTH, HIDDEN, CLASSES, RATE = 34, 3, 4, 2, 0.25
SEEDS = [16, 11, 24, 4]
FRIENDS = {
    0: [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 17, 19, 21, 31], 1: [2, 3, 7, 13, 17, 19, 21, 30],
    2: [3, 7, 8, 9, 13, 27, 28, 32], 3: [7, 12, 13], 4: [6, 10], 5: [6, 10, 16], 6: [16], 8: [30, 32, 33], 9: [33],
    13: [33], 14: [32, 33], 15: [32, 33], 18: [32, 33], 19: [33], 20: [32, 33], 22: [32, 33],
    23: [25, 27, 29, 32, 33], 24: [25, 27, 31], 25: [31], 26: [29, 33], 27: [33], 28: [31, 33], 29: [32, 33],
    30: [32, 33], 31: [32, 33], 32: [33]}
EDGES = [edge for a, others in FRIENDS.items() for b in others for edge in ((a, b), (b, a))]
OFFICERS = [8, 9, 14, 15, 18, 20, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33]
LABELS = [int(v in OFFICERS) for v in range(VERTICES)]


def numbers(count, factor, modulus):
    return [(i * factor % modulus - modulus // 2) / 8 for i in range(count)]


X = [[((7 * v + 5 * c + 3 * v * c) % 11 - 5) / 8 for c in range(WIDTH)] for v in range(VERTICES)]
WEIGHTS = {}  # shape and values
for number, (inputs, outputs) in enumerate([(WIDTH, HIDDEN), (HIDDEN, CLASSES)], 1):
    WEIGHTS["conv%d.W" % number] = (inputs, outputs), numbers(inputs * outputs, 5, 13)
    WEIGHTS["conv%d.b" % number] = (outputs,), numbers(outputs, 3, 7)
    WEIGHTS["norm%d.gamma" % number] = (outputs,), [1 + a for a in numbers(outputs, 3, 5)]
    WEIGHTS["norm%d.beta" % number] = (outputs,), numbers(outputs, 4, 9)
