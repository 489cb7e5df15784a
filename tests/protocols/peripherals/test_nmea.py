"""Sentences of a GPS receiver."""

from __future__ import annotations

from mobilesim_py.protocols.peripherals.nmea import Fix, sentence, sentences

FIX = Fix(42.8069, -71.579, 62.5, 0.5, 84.4, 0.0, declination=-7.1)


def test_checksums_are_those_that_clients_expect() -> None:
    text = "GPRMC,131415.00,A,4248.414000,N,07134.740000,W,0.97,084.4,181126,,,A"
    assert sentence(text) == f"${text}*7D\r\n"
    assert (sentence("GPHDT,94.0,T"), sentence("HCHDG,101.1,,,7.1,W")) == (
        "$GPHDT,94.0,T*08\r\n",
        "$HCHDG,101.1,,,7.1,W*3C\r\n",
    )


def test_a_fix_is_five_sentences() -> None:
    lines = sentences(FIX).decode().split("\r\n")
    assert lines[0] == "$GPRMC,131415.00,A,4248.414000,N,07134.740000,W,0.97,084.4,181126,,,A*7D"
    assert lines[1].startswith("$GPGGA,131415.00,4248.414000,N,07134.740000,W,8,09,1.0,62.5,M,-33.0,M,,*")
    assert [line[:6] for line in lines] == ["$GPRMC", "$GPGGA", "$GPGSA", "$GPHDT", "$HCHDG", ""]
    assert lines[4].startswith("$HCHDG,91.5,,,7.1,W*")


def test_without_a_fix_the_quality_is_0() -> None:
    lines = sentences(Fix(-1.5, 10.25, 0.0, 0.0, 0.0, 86400.0, is_good=False)).decode().split("\r\n")
    assert ",V,0130.000000,S,01015.000000,E," in lines[0]
    assert ",0,00," in lines[1]


def test_minutes_never_reach_sixty() -> None:
    assert b",4300.000000,N," in sentences(Fix(42.9999999999, 0.0, 0.0, 0.0, 0.0, 0.0))
