"""The tree of parameters."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.protocols.ros.errors import WireError
from mobilesim_py.protocols.ros1 import parameters as module
from mobilesim_py.protocols.ros1.parameters import MissingParameterError, Parameters, _count


@pytest.fixture
def tree() -> Parameters:
    tree = Parameters()
    tree.set("/robot/limits", {"speed": 0.7, "turn": 1.5})
    tree.set("/use_sim_time", True)
    return tree


def test_a_namespace_is_a_struct_of_its_parameters(tree):
    tree.set("/robot/limits/speed", 1.0)
    assert tree.get("/robot") == {"limits": {"speed": 1.0, "turn": 1.5}}
    assert tree.get("/") == {"robot": {"limits": {"speed": 1.0, "turn": 1.5}}, "use_sim_time": True}
    assert tree.names() == ["/robot/limits/speed", "/robot/limits/turn", "/use_sim_time"]


def test_a_value_gives_way_to_a_namespace(tree):
    tree.set("/use_sim_time/really", 1)
    assert tree.get("/use_sim_time") == {"really": 1}


def test_what_is_not_there_is_missing(tree):
    for key in ("/nope", "/use_sim_time/x", "/robot/limits/x"):
        assert not tree.has(key)
        with pytest.raises(MissingParameterError):
            tree.get(key)
        with pytest.raises(MissingParameterError):
            tree.delete(key)


def test_parameters_and_namespaces_are_deleted(tree):
    tree.delete("/robot/limits/turn")
    assert tree.get("/robot") == {"limits": {"speed": 0.7}}
    tree.delete("/robot")
    assert tree.names() == ["/use_sim_time"]
    tree.delete("/")
    assert tree.get("/") == {}


def test_the_root_can_be_set_to_a_struct_only(tree):
    tree.set("/", {"a": 1})
    assert tree.names() == ["/a"]
    with pytest.raises(WireError, match="only be set to a struct"):
        tree.set("/", 1)


def test_a_search_goes_upwards_by_the_first_part_of_the_key(tree):
    tree.set("/robot/sub/limits", {})
    assert tree.search("/robot/sub/node", "limits/speed") == "/robot/sub/limits/speed"
    assert tree.search("/robot/other", "limits/speed") == "/robot/limits/speed"
    assert tree.search("/x/y", "use_sim_time") == "/use_sim_time"
    assert tree.search("/x/y", "nope") is None
    assert tree.search("/x", "/robot") == "/robot"
    assert tree.search("/x", "/nope") is None


def test_the_tree_is_bounded_in_size_and_depth(tree, monkeypatch):
    with pytest.raises(WireError, match="levels"):
        tree.set("/a" * 60, 1)
    monkeypatch.setattr(module, "MOST_PARAMETERS", 20)
    with pytest.raises(WireError, match="more than 20 parameters"):
        tree.set("/many", {str(number): number for number in range(20)})
    for number in range(100):
        tree.set("/again/and/again", number)
    assert tree.get("/again/and/again") == 99


KEYS = st.sampled_from(["/", "/a", "/a/b", "/a/b/c", "/d", "/a/e"])
VALUES = st.recursive(st.integers(), lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3), max_leaves=5)


@settings(deadline=None)
@given(st.lists(st.tuples(KEYS, VALUES | st.none()), max_size=12))
def test_the_count_is_kept_right(steps):
    tree = Parameters()
    for key, value in steps:
        try:
            tree.delete(key) if value is None else tree.set(key, value)
        except (WireError, MissingParameterError):
            continue
    assert tree._size == _count(tree.get("/"))
