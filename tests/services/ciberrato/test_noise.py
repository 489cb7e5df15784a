"""Numbers of chance that depend only on their place."""

from __future__ import annotations

import math
import statistics

from mobilesim_py.services.ciberrato import CounterNoise

SAMPLES = 5000


def test_the_same_place_gives_the_same_number():
    one, other = CounterNoise(7), CounterNoise(7)
    assert [one.normal(1, 2, t) for t in range(10)] == [other.normal(1, 2, t) for t in range(10)]
    assert one.uniform(3, 4, 5) == other.uniform(3, 4, 5)


def test_seed_robot_stream_and_tick_all_count():
    numbers = [CounterNoise(s).uniform(r, k, t) for s in range(3) for r in range(3) for k in range(3) for t in range(3)]
    assert len(set(numbers)) == len(numbers)


def test_normal_numbers_have_mean_0_and_deviation_1():
    numbers = [CounterNoise(1).normal(1, 2, tick) for tick in range(SAMPLES)]
    assert abs(statistics.fmean(numbers)) < 4 / math.sqrt(SAMPLES)
    assert abs(statistics.stdev(numbers) - 1.0) < 4 / math.sqrt(2 * SAMPLES)
    assert 0.66 < sum(abs(number) < 1 for number in numbers) / SAMPLES < 0.71
    assert 0.94 < sum(abs(number) < 2 for number in numbers) / SAMPLES < 0.97


def test_uniform_numbers_fill_the_unit():
    numbers = [CounterNoise(1).uniform(1, 2, tick) for tick in range(SAMPLES)]
    assert all(0.0 <= number < 1.0 for number in numbers)
    for tenth in range(10):
        share = sum(tenth <= number * 10 < tenth + 1 for number in numbers) / SAMPLES
        assert abs(share - 0.1) < 0.02


def test_neighbours_do_not_hang_together():
    noise = CounterNoise(1)
    pairs = [(noise.normal(1, 2, tick), noise.normal(1, 3, tick), noise.normal(1, 2, tick + 1)) for tick in range(SAMPLES)]
    for k in (1, 2):
        together = statistics.correlation([pair[0] for pair in pairs], [pair[k] for pair in pairs])
        assert abs(together) < 4 / math.sqrt(SAMPLES)
