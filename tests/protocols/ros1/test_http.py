"""HTTP as ROS nodes speak it: whole requests in any pieces, and nothing that a peer can do to us."""

from __future__ import annotations

import random

import pytest

from mobilesim_py.protocols.ros1.http import (
    LONGEST_BODY,
    LONGEST_HEAD,
    MOST_WAITING,
    Answered,
    HttpClient,
    HttpServer,
    Posted,
)

REQUEST = b"POST /RPC2 HTTP/1.1\r\nHost: robot:4711\r\nContent-Length: 5\r\n\r\nhello"


def head_and_body(answer: bytes) -> tuple[bytes, bytes]:
    head, _, body = answer.partition(b"\r\n\r\n")
    return head, body


def test_a_request_is_read_however_it_comes() -> None:
    for size in (1, 7, 1000):
        server = HttpServer()
        for start in range(0, len(REQUEST), size):
            server.receive_data(REQUEST[start : start + size])
        assert server.events() == [Posted(b"hello", "robot")]
        assert server.is_idle


def test_answers_go_out_in_order_on_a_connection_that_stays() -> None:
    server = HttpServer()
    server.receive_data(REQUEST + REQUEST)
    server.answer(b"one")
    server.answer(b"two!")
    sent = server.data_to_send()
    assert sent.count(b"200 OK") == 2
    assert sent.index(b"one") < sent.index(b"two!")
    assert not server.is_closed


@pytest.mark.parametrize(
    ("line", "more", "closed"),
    [
        (b"HTTP/1.1", b"", False),
        (b"HTTP/1.1", b"Connection: close\r\n", True),
        (b"HTTP/1.0", b"", True),
        (b"HTTP/1.0", b"Connection: keep-alive\r\n", False),
    ],
)
def test_a_connection_closes_when_its_peer_wants_that(line: bytes, more: bytes, closed: bool) -> None:
    server = HttpServer()
    server.receive_data(b"POST / " + line + b"\r\n" + more + b"Content-Length: 0\r\n\r\n")
    server.answer(b"x")
    assert server.is_closed is closed


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
        b"POST / HTTP/1.1\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: -4\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST / HTTP/1.1\r\nnonsense\r\n\r\n",
        b"x" * (LONGEST_HEAD + 1),
        REQUEST * (MOST_WAITING + 1),
    ],
)
def test_a_peer_that_breaks_the_rules_is_refused(data: bytes) -> None:
    server = HttpServer()
    server.receive_data(data)
    assert server.is_closed
    assert head_and_body(server.data_to_send())[0].startswith(b"HTTP/1.1 400")
    assert server.events() == []
    server.receive_data(REQUEST)
    assert server.events() == []


def test_a_client_waits_before_it_sends_a_body_when_it_says_so() -> None:
    server = HttpServer()
    server.receive_data(REQUEST.replace(b"Content", b"Expect: 100-continue\r\nContent"))
    assert server.data_to_send() == b"HTTP/1.1 100 Continue\r\n\r\n"


def test_our_request_is_one_that_we_would_answer() -> None:
    client, server = HttpClient("::1", 11311, "/", b"call"), HttpServer()
    server.receive_data(client.data_to_send())
    assert server.events() == [Posted(b"call", "::1")]
    server.answer(b"answer")
    client.receive_data(server.data_to_send())
    assert client.events() == [Answered(200, b"answer")]


def test_an_answer_without_a_length_ends_with_the_connection() -> None:
    client = HttpClient("a", 1, "/", b"")
    client.receive_data(b"HTTP/1.0 200 OK\r\nServer: old\r\n\r\nfirst ")
    client.receive_data(b"second")
    assert client.events() == []
    client.receive_end()
    assert client.events() == [Answered(200, b"first second")]


@pytest.mark.parametrize("data", [b"hello\r\n\r\n", b"HTTP/1.1\r\nContent-Length: 0\r\n\r\n", b"y" * (LONGEST_HEAD + 1)])
def test_an_answer_that_is_none_is_a_fault(data: bytes) -> None:
    client = HttpClient("a", 1, "/", b"")
    client.receive_data(data)
    client.receive_end()
    assert client.is_closed
    assert client.fault
    assert client.events() == []


def test_noise_never_raises() -> None:
    rng = random.Random(5)
    for _ in range(300):
        server, client = HttpServer(), HttpClient("a", 1, "/", b"")
        data = bytearray(REQUEST * 2)
        for _ in range(rng.randrange(1, 8)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        for end in (server, client):
            end.receive_data(bytes(data))
            end.events()
            end.data_to_send()


def test_an_answer_that_nobody_waits_for_is_not_sent() -> None:
    server = HttpServer()
    server.answer(b"what?")
    assert server.data_to_send() == b""


def test_an_answer_without_a_length_that_does_not_end_is_given_up() -> None:
    client = HttpClient("robot", 4711, "/", b"")
    client.receive_data(b"HTTP/1.1 200 OK\r\n\r\n" + bytes(LONGEST_BODY + 1))
    assert client.is_closed
    assert "a body of more than" in client.fault
    client.receive_data(b"more")
    client.receive_end()
    assert client.events() == []
