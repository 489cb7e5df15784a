"""Names of the graph."""

from __future__ import annotations

import pytest

from mobilesim_py.protocols.ros.names import is_name, namespace_of, resolve, within


@pytest.mark.parametrize(
    ("name", "namespace", "node", "resolved"),
    [
        ("rosapi/topics", "/", "", "/rosapi/topics"),
        ("/rosapi/topics", "/robot", "", "/rosapi/topics"),
        ("odom", "/robot", "", "/robot/odom"),
        ("~odom", "/", "/RosAria", "/RosAria/odom"),
        ("/odom/", "/", "", "/odom"),
        ("", "/", "", "/"),
    ],
)
def test_names_become_global(name, namespace, node, resolved):
    assert resolve(name, namespace, node) == resolved


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("/odom", True),
        ("odom", True),
        ("~x", True),
        ("/", True),
        ("/a//b", False),
        ("/a b", False),
        ("", False),
        ("1a", False),
        ("/" + "x" * 600, False),
        ("/é", False),
    ],
)
def test_what_ros_takes_for_a_name(name, good):
    assert is_name(name) is good


def test_namespaces():
    assert namespace_of("/robot/odom") == "/robot"
    assert namespace_of("/odom") == "/"
    assert within("/robot/odom", "/robot")
    assert within("/robot", "/robot")
    assert within("/robot", "")
    assert within("/robot", "/")
    assert not within("/robot2", "/robot")
