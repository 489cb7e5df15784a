"""The packets of the robot's panel, its log and its telephone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from .kinds import Direction, Kind
from .layout import Packet
from .shorthand import blob16, i16, text, texts, u8, u16
from .values import GprsType, IhmButton, ResponseKey, SmsType

OPTIONS = 20
"""Places for options in a question."""


@dataclass(frozen=True)
class ApiSms(Packet):
    """A text message."""

    kind: ClassVar[Kind] = Kind.API_SMS
    direction: ClassVar[Direction] = Direction.BOTH

    sms_type: Annotated[int, u8("which way it goes", values=SmsType)]
    recipient: Annotated[str, text(20, "telephone number")]
    message: Annotated[str, text(200, "text")]


@dataclass(frozen=True)
class ApiGprs(Packet):
    """A connection over the mobile network; what follows the type depends on it."""

    kind: ClassVar[Kind] = Kind.API_GPRS
    direction: ClassVar[Direction] = Direction.BOTH

    gprs_type: Annotated[int, u8("what is said", values=GprsType)]
    port: Annotated[int, u16("port to connect to", only=frozenset({GprsType.OPEN}))] = 0
    address: Annotated[str, text(255, "address to connect to", only=frozenset({GprsType.OPEN}))] = ""
    data: Annotated[bytes, blob16("bytes sent or received", only=frozenset({GprsType.SEND, GprsType.RECEIVED}))] = b""


@dataclass(frozen=True)
class ApiIhmDisplay(Packet):
    """Two lines for the panel."""

    kind: ClassVar[Kind] = Kind.API_IHM_DISPLAY
    direction: ClassVar[Direction] = Direction.TO_ROBOT

    top: Annotated[str, text(20, "upper line")]
    bottom: Annotated[str, text(20, "lower line")]


@dataclass(frozen=True)
class ApiIhmAskEnum(Packet):
    """A question on the panel with options to choose from."""

    kind: ClassVar[Kind] = Kind.API_IHM_ASK_ENUM
    direction: ClassVar[Direction] = Direction.TO_ROBOT

    question_id: Annotated[int, u8("number by which the answer names it")]
    top: Annotated[str, text(20, "upper line")]
    question: Annotated[str, text(20, "the question")]
    count: Annotated[int, u8("how many of the options count")]
    options: Annotated[tuple[str, ...], texts(OPTIONS, 20, "the options")]
    default: Annotated[int, u8("option that is chosen at first")]
    unit: Annotated[str, text(20, "unit shown behind the option")]

    @classmethod
    def of(
        cls, question_id: int, top: str, question: str, options: Sequence[str], default: int = 0, unit: str = ""
    ) -> ApiIhmAskEnum:
        """Return a question with as many options as are given, at most 20."""
        places = (*options, *[""] * (OPTIONS - len(options)))
        return cls(question_id, top, question, len(options), places, default, unit)


@dataclass(frozen=True)
class ApiIhmAskValue(Packet):
    """A question on the panel for a number."""

    kind: ClassVar[Kind] = Kind.API_IHM_ASK_VALUE
    direction: ClassVar[Direction] = Direction.TO_ROBOT

    question_id: Annotated[int, u8("number by which the answer names it")]
    top: Annotated[str, text(20, "upper line")]
    question: Annotated[str, text(20, "the question")]
    least: Annotated[int, i16("least value")]
    most: Annotated[int, i16("largest value")]
    step: Annotated[int, i16("step between values")]
    default: Annotated[int, i16("value at first")]
    unit: Annotated[str, text(20, "unit shown behind the value")]


@dataclass(frozen=True)
class ApiEnumResponse(Packet):
    """The answer to ApiIhmAskEnum."""

    kind: ClassVar[Kind] = Kind.API_ENUM_RESPONSE
    direction: ClassVar[Direction] = Direction.FROM_ROBOT

    question_id: Annotated[int, u8("number of the question")]
    key: Annotated[int, u8("the key pressed", values=ResponseKey)]
    option: Annotated[int, u8("the option chosen")]


@dataclass(frozen=True)
class ApiValueResponse(Packet):
    """The answer to ApiIhmAskValue."""

    kind: ClassVar[Kind] = Kind.API_VALUE_RESPONSE
    direction: ClassVar[Direction] = Direction.FROM_ROBOT

    question_id: Annotated[int, u8("number of the question")]
    key: Annotated[int, u8("the key pressed", values=ResponseKey)]
    value: Annotated[int, i16("the value chosen")]


@dataclass(frozen=True)
class ApiPressedIhmButton(Packet):
    """A button of the panel was pressed."""

    kind: ClassVar[Kind] = Kind.API_PRESSED_IHM_BUTTON
    direction: ClassVar[Direction] = Direction.FROM_ROBOT

    button: Annotated[int, u8("the button", values=IhmButton)]


@dataclass(frozen=True)
class ApiMessage(Packet):
    """A message known by its number."""

    kind: ClassVar[Kind] = Kind.API_MESSAGE
    direction: ClassVar[Direction] = Direction.BOTH

    message: Annotated[int, u8("its number")]


@dataclass(frozen=True)
class ApiLogToRobot(Packet):
    """A line for the robot's log."""

    kind: ClassVar[Kind] = Kind.API_LOG_TO_ROBOT
    direction: ClassVar[Direction] = Direction.TO_ROBOT

    line: Annotated[str, text(127, "the line")]


PACKETS: tuple[type[Packet], ...] = (
    ApiSms,
    ApiGprs,
    ApiIhmDisplay,
    ApiIhmAskEnum,
    ApiIhmAskValue,
    ApiEnumResponse,
    ApiValueResponse,
    ApiPressedIhmButton,
    ApiMessage,
    ApiLogToRobot,
)
"""All of them, in the order of their ids."""
