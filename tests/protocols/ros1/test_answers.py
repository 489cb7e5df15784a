"""URIs of peers."""

from __future__ import annotations

import pytest

from mobilesim_py.protocols.ros1.answers import is_uri


@pytest.mark.parametrize(
    ("value", "good"),
    [
        ("http://127.0.0.1:11311/", True),
        ("http://host:1", True),
        ("http://[::1]:5/", True),
        ("http://host/", False),
        ("rosrpc://h:1", False),
        ("http://:5/", False),
        ("http://h:99999/", False),
        ("http://[/", False),
        ("", False),
        (5, False),
        ("http://" + "h" * 2000 + ":1/", False),
    ],
)
def test_a_uri_has_a_host_and_a_port(value, good):
    assert is_uri(value) is good


def test_services_have_a_scheme_of_their_own():
    assert is_uri("rosrpc://h:1", "rosrpc")
