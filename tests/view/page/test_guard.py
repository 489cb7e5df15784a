"""Who may use the viewer."""

from __future__ import annotations

import pytest

from mobilesim_py.view.page.guard import TOKEN_VARIABLE, Guard, Visit, host_name, is_loopback

HERE, THERE = Guard(), Guard("secret")


@pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "127.0.0.1", "LOCALHOST:1"])
def test_loopback_names_are_answered_without_a_token(host: str) -> None:
    assert HERE.refuse(Visit(host)) is None


@pytest.mark.parametrize("host", ["evil.example:8080", "127.0.0.1.evil.example", "", "10.0.0.1:8080", "localhost.evil.com"])
def test_other_names_are_refused_on_loopback_as_they_may_be_rebound(host: str) -> None:
    refusal = HERE.refuse(Visit(host))
    assert refusal is not None
    assert refusal.status == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:9999", "file://", "http://[", ""])
def test_a_page_from_elsewhere_is_refused(origin: str) -> None:
    for guard, tokens in ((HERE, ()), (THERE, ("secret",))):
        refusal = guard.refuse(Visit("localhost:8080", origin=origin, tokens=tokens))
        assert refusal is not None
        assert refusal.status == 403


def test_the_page_itself_is_not_refused() -> None:
    assert HERE.refuse(Visit("localhost:8080", origin="http://localhost:8080", fetch_site="same-origin")) is None


def test_what_a_foreign_page_embeds_is_refused_but_a_link_may_be_followed() -> None:
    assert HERE.refuse(Visit("localhost:8080", fetch_site="cross-site")) is not None
    assert HERE.refuse(Visit("localhost:8080", fetch_site="cross-site", navigates=True)) is None


@pytest.mark.parametrize("tokens", [(), ("wrong",), ("",), ("secret2", "secre")])
def test_without_the_token_nothing_is_answered_elsewhere(tokens: tuple[str, ...]) -> None:
    refusal = THERE.refuse(Visit("10.0.0.1:8080", tokens=tokens))
    assert refusal is not None
    assert refusal.status == 401


def test_with_the_token_any_name_will_do() -> None:
    assert THERE.refuse(Visit("lab-robot.example:8080", tokens=("nonsense", "secret"))) is None


def test_a_token_is_made_unless_it_is_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    assert Guard.of("127.0.0.1").token == Guard.of("::1").token == Guard.of("localhost").token == ""
    one, other = Guard.of("0.0.0.0"), Guard.of("0.0.0.0")
    assert len(one.token) >= 32
    assert one.token != other.token
    monkeypatch.setenv(TOKEN_VARIABLE, "chosen")
    assert Guard.of("::").token == "chosen"


def test_names_and_addresses() -> None:
    assert host_name("[::1]:80") == "::1"
    assert not is_loopback("0.0.0.0")
    assert is_loopback("127.8.9.1")


def test_a_token_that_is_no_text_is_a_wrong_token() -> None:
    refusal = Guard("secret").refuse(Visit("robots:8080", tokens=("\udcff\udcfe",)))
    assert refusal is not None
    assert refusal.status == 401
