"""Rates over the last seconds."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from mobilesim_py.services.service import ClientFacts
from mobilesim_py.view.meter import WINDOW, Meter


class OneClient:
    """A service with one client."""

    def __init__(self) -> None:
        self.client = ClientFacts("toy", "key", "somebody")

    def clients(self) -> list[ClientFacts]:
        return [self.client]

    def exchange(self, sent: int, received: int) -> None:
        facts = self.client
        self.client = replace(
            facts, packets_sent=facts.packets_sent + sent, packets_received=facts.packets_received + received
        )


def stage_with(service: OneClient) -> Any:
    return SimpleNamespace(services=[service])


def test_samples_too_close_together_are_not_taken() -> None:
    meter = Meter(stage_with(OneClient()))
    for tick in range(100):
        meter.update(0.001 * tick)
    assert len(meter._samples) == 1


def test_packets_are_counted_per_client() -> None:
    service = OneClient()
    meter = Meter(stage_with(service))
    assert meter.packets_per_second(service.client) == (0.0, 0.0)
    for second in range(3):
        meter.update(float(second))
        service.exchange(10, 2)
    assert meter.packets_per_second(service.client) == (10.0, 2.0)
    assert meter.packets_per_second(None) == (0.0, 0.0)


def test_rates_are_those_of_the_last_seconds() -> None:
    service = OneClient()
    meter = Meter(stage_with(service))
    for second in range(20):
        meter.update(float(second))
        service.exchange(100 if second < 10 else 5, 0)
    assert meter.packets_per_second(service.client) == (5.0, 0.0)
    assert len(meter._samples) <= WINDOW + 2
