"""CBOR: the same bytes as an independent encoder, and a reader that believes no length."""

from __future__ import annotations

import cbor2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.protocols.ros import cbor
from mobilesim_py.protocols.ros.errors import WireError

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**64), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.binary(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=20,
)


@settings(deadline=None)
@given(PLAIN)
def test_bytes_are_the_oracles_and_read_back(value):
    data = cbor.encode(value)
    assert data == cbor2.dumps(value)
    assert cbor.decode(data) == value


@settings(deadline=None)
@given(st.integers(0, 2**64 - 1) | st.sampled_from([23, 24, 255, 256, 65535, 65536, 2**32 - 1, 2**32]))
def test_integers_take_the_shortest_form(number):
    assert cbor.write_int(number) == cbor2.dumps(number)
    assert cbor.write_int(-1 - number) == cbor2.dumps(-1 - number)


@pytest.mark.parametrize("kind", ["u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f4", "f8"])
def test_arrays_carry_the_tag_of_their_type(kind):
    array = np.array([0, 1, 7], kind)
    decoded = cbor2.loads(cbor.encode(array))
    if kind == "u1":
        assert decoded == b"\0\1\7"
        return
    assert (decoded.tag, decoded.value) == (cbor.TAGS[kind], array.tobytes())
    assert cbor.encode(array.astype(f">{kind}")) == cbor.encode(array)
    back = cbor.decode(cbor.encode(array))
    assert back.dtype == array.dtype
    assert (back == array).all()


def test_truths_are_a_list_and_complex_numbers_are_refused():
    assert cbor.encode(np.array([True, False])) == b"\x82\xf5\xf4"
    with pytest.raises(TypeError, match="no array of complex128"):
        cbor.encode(np.array([1j]))
    with pytest.raises(TypeError, match="cannot hold a set"):
        cbor.encode({1})
    with pytest.raises(OverflowError):
        cbor.encode(2**64)


@pytest.mark.parametrize(
    ("data", "value"),
    [("f93c00", 1.0), ("fa3f800000", 1.0), ("f7", None), ("c074313233", None), ("c102", 2), ("d8404101", 1)],
)
def test_forms_that_others_write_are_read(data, value):
    if data.startswith("c07"):
        with pytest.raises(WireError):
            cbor.decode(bytes.fromhex(data))
        return
    decoded = cbor.decode(bytes.fromhex(data))
    assert (decoded[0] if isinstance(decoded, np.ndarray) else decoded) == value


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("", "end too early"),
        ("18", "end too early"),
        ("fb00", "end too early"),
        ("82 01", "announced"),
        ("8201", "announced"),
        ("5affffffff", "announced"),
        ("9bffffffffffffffff", "announced"),
        ("bb00000000ffffffff", "announced"),
        ("0101", "1 bytes too many"),
        ("9f01ff", "no definite length"),
        ("a10102", "no text"),
        ("f8ff", "simple value 24"),
        ("d85501", "tag 85"),
        ("d85543010203", "tag 85"),
        ("81" * 40 + "01", "levels"),
    ],
)
def test_damaged_bytes_are_refused(data, reason):
    with pytest.raises(WireError, match=reason):
        cbor.decode(bytes.fromhex(data))


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_value_or_an_error_of_ours(data):
    try:
        cbor.decode(data)
    except WireError:
        return
