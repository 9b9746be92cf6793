"""Module variables, type aliases and enumerations."""
import enum
#> import enum from enum -
from enum import Enum, IntFlag
#> import Enum from enum Enum
#> import IntFlag from enum IntFlag
from typing import TypeAlias
#> import TypeAlias from typing TypeAlias

__all__ = ["MAX", "Color"]
#> static __all__ vis=public sig="__all__ = ["MAX", "Color"]" col=1
__version__ = "1.2.3"
#> static __version__ vis=public
MAX = 10
#> constant MAX vis=public sig="MAX = 10" end=0 col=1
MAX = 11
MAX_2: int = 20
#> constant MAX_2 vis=public sig="MAX_2: int = 20"
_LIMIT = MAX * 2
#> constant _LIMIT vis=private sig="_LIMIT = MAX * 2"
counter = 0
#> static counter vis=public sig="counter = 0"
counter += 1
counter = 5
_state = {"def": "fake"}
#> static _state vis=private
camelCase = 1
#> static camelCase vis=public
Mixed_CASE = 1
#> static Mixed_CASE vis=public
TABLE = {
#> constant TABLE vis=public end=3 col=1
    "a": 1,
    "b": [1, 2],
}
TABLE["c"] = 3
LONG = "0123456789012345678901234567890123456789012345678901234567890123456789"
#> constant LONG vis=public
first, SECOND = 1, 2
#> static first vis=public col=1
#> constant SECOND vis=public col=8
left = right = None
#> static left vis=public col=1
#> static right vis=public col=8
one = 1; TWO = 2
#> static one vis=public col=1
#> constant TWO vis=public col=10
enum.custom = 3

UserId: TypeAlias = int
#> type_alias UserId vis=public
_Key: TypeAlias = "tuple[str, int]"
#> type_alias _Key vis=private

square = lambda x: x * x
#> static square vis=public col=1
#> function <lambda1> vis=private cc=1 col=10
_guard = lambda: None
#> static _guard vis=private
#> function <lambda2> cc=1
not_a_function = square(2)
#> static not_a_function vis=public
Dynamic = Enum("Dynamic", "A B")
#> static Dynamic vis=public


class Color(Enum):
#> enum Color vis=public sig="class Color(Enum)" doc="Paint." end=13
    """Paint."""

    RED = 1
#> enum_member Color.RED vis=public sig="RED = 1" col=5
    GREEN = "g"
#> enum_member Color.GREEN vis=public sig="GREEN = "g""
    dark_blue = enum.auto()
#> enum_member Color.dark_blue vis=public sig="dark_blue = enum.auto()"

    @property
    def hex(self):
#> method Color.hex vis=public mods=property cc=1
        return "#" + str(self.value)

    @classmethod
    def default(cls):
#> method Color.default mods=classmethod
        return cls.RED


class Permission(IntFlag):
#> enum Permission vis=public
    READ = 1
#> enum_member Permission.READ
    WRITE = 2
#> enum_member Permission.WRITE
    ALL = READ | WRITE
#> enum_member Permission.ALL sig="ALL = READ | WRITE"


class Status(str, enum.Enum):
#> enum Status vis=public sig="class Status(str, enum.Enum)"
    OPEN, CLOSED = "open", "closed"
#> enum_member Status.OPEN
#> enum_member Status.CLOSED


class _Level(enum.IntEnum):
#> enum _Level vis=private
    LOW = 1
#> enum_member _Level.LOW vis=public

    def up(self):
#> method _Level.up vis=public cc=2
        return self if self is _Level.LOW else None


class CustomBaseEnum:
#> class CustomBaseEnum vis=public
    KIND = "none"
#> constant CustomBaseEnum.KIND


class Sized(CustomBaseEnum):
#> enum Sized vis=public
    small = 1
#> enum_member Sized.small


class EnumLike(object):
#> class EnumLike vis=public sig="class EnumLike(object)"
    ONE = 1
#> constant EnumLike.ONE
    two = 2
#> field EnumLike.two
    a, B = 1, 2
#> field EnumLike.a col=5
#> constant EnumLike.B col=8


def locals_are_nothing():
#> function locals_are_nothing vis=public
    global counter
    value = 1
    LOCAL = 2
    counter = value + LOCAL
    other: int = 3
    return other
