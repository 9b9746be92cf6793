"""Classes, their members and the fields that methods give them."""
import abc
#> import abc from abc -
from typing import Generic, NamedTuple, Protocol, TypedDict, TypeVar
#> import Generic from typing Generic
#> import NamedTuple from typing NamedTuple
#> import Protocol from typing Protocol
#> import TypedDict from typing TypedDict
#> import TypeVar from typing TypeVar

T = TypeVar("T")
#> constant T vis=public sig="T = TypeVar("T")" col=1


class Empty: pass
#> class Empty vis=public sig="class Empty" end=0 col=7


class Shape:
#> class Shape vis=public sig="class Shape" doc="A closed figure." mods=- end=76
    """A closed figure. It has an area.

    More about it.
    """

    sides = 0
#> field Shape.sides vis=public sig="sides = 0" col=5
    MAX_SIDES = 12
#> constant Shape.MAX_SIDES vis=public sig="MAX_SIDES = 12"
    _cache = {}
#> field Shape._cache vis=private
    __registry = []
#> field Shape.__registry vis=private
    __slots__ = ("name", "origin")
#> field Shape.__slots__ vis=public sig="__slots__ = ("name", "origin")"
    label: str
#> field Shape.label vis=public sig="label: str"
    weight: float = 1.0
#> field Shape.weight vis=public sig="weight: float = 1.0"

    def __new__(cls, *args, **kwargs):
#> constructor Shape.__new__ vis=public cc=1 sig="def __new__(cls, *args, **kwargs)"
        return super().__new__(cls)

    def __init__(self, name, origin=(0, 0)):
#> constructor Shape.__init__ vis=public cc=2 sig="def __init__(self, name, origin=(0, 0))" doc="Build it." end=9 col=9
        """Build it."""
        self.name = name
#> field Shape.name vis=public sig="self.name = name" col=14
        self.origin: tuple = origin
#> field Shape.origin vis=public sig="self.origin: tuple = origin" col=14
        self._dirty = True
#> field Shape._dirty vis=private col=14
        self.__key = id(self)
#> field Shape.__key vis=private col=14
        self.weight = 2.0
        local = name
        if local:
            self.tag = local.upper()
#> field Shape.tag vis=public col=18

    def area(self, unit="cm"):
#> method Shape.area vis=public cc=1 sig="def area(self, unit="cm")" doc="The area." mods=-
        """The area."""
        self.name = self.name.strip()
        self.last_unit = unit
#> field Shape.last_unit vis=public sig="self.last_unit = unit"
        self.weight += 1
        return 0

    def _recompute(self):
#> method Shape._recompute vis=private cc=1
        self.last_unit = None
        self.name[0] = "x"
        self.origin.x = 3

    def __mangled(self):
#> method Shape.__mangled vis=private
        pass

    def __eq__(self, other):
#> method Shape.__eq__ vis=public sig="def __eq__(self, other)"
        return self is other

    area_of = area
#> field Shape.area_of vis=public
    double = lambda self: self.area() * 2
#> field Shape.double vis=public col=5
#> function Shape.<lambda1> cc=1

    @property
    def title(self) -> str:
#> method Shape.title vis=public mods=property deco=property sig="def title(self) -> str" end=1
        return self.name.title()

    @title.setter
    def title(self, value: str) -> None:
#> method Shape.title#2 vis=public deco=title.setter sig="def title(self, value: str) -> None"
        self.name = value

    @title.deleter
    def title(self):
#> method Shape.title#3 vis=public deco=title.deleter
        self.name = ""

    @staticmethod
    def unit():
#> method Shape.unit vis=public mods=static deco=staticmethod cc=1
        return Shape()

    @classmethod
    def from_points(cls, points):
#> method Shape.from_points vis=public mods=classmethod deco=classmethod cc=2
        return [cls(p) for p in points]

    class Meta:
#> class Shape.Meta vis=public sig="class Meta" col=11
        ordering = ["name"]
#> field Shape.Meta.ordering vis=public

        class Deeper:
#> class Shape.Meta.Deeper vis=public doc="Three levels down."
            "Three levels down."

            def reach(self):
#> method Shape.Meta.Deeper.reach vis=public
                self.reached = True
#> field Shape.Meta.Deeper.reached vis=public


class _Hidden(Shape):
#> class _Hidden vis=private sig="class _Hidden(Shape)"
    def show(self):
#> method _Hidden.show vis=public
        self.name = "hidden"
#> field _Hidden.name vis=public


class Base(abc.ABC):
#> class Base vis=public sig="class Base(abc.ABC)"
    @abc.abstractmethod
    def run(self): ...
#> method Base.run vis=public mods=abstract deco=abc.abstractmethod cc=1 end=0 sig="def run(self)"

    @property
    @abc.abstractmethod
    def size(self):
#> method Base.size mods=abstract,property deco=property deco=abc.abstractmethod
        """How big it is."""

    @classmethod
    @abc.abstractmethod
    def make(cls):
#> method Base.make mods=abstract,classmethod
        raise NotImplementedError

    def __init_subclass__(cls, /, tag="{}", **kwargs):
#> method Base.__init_subclass__ vis=public sig="def __init_subclass__(cls, /, tag="{}", **kwargs)"
        super().__init_subclass__(**kwargs)


class Stack(
#> class Stack vis=public sig="class Stack(Base, Generic[T], metaclass=abc.ABCMeta,)" doc="A stack." end=13
    Base,
    Generic[T],
    metaclass=abc.ABCMeta,
):
    '''A stack.'''

    def push(
#> method Stack.push vis=public cc=1 sig="def push(self, item: T, *, front: bool = False,) -> None" end=6 col=9
        self,
        item: T,
        *,
        front: bool = False,
    ) -> None:
        self.items = self.top = [item]
#> field Stack.items vis=public
#> field Stack.top vis=public


class Drawable(Protocol):
#> interface Drawable vis=public sig="class Drawable(Protocol)"
    color: str
#> field Drawable.color vis=public

    def draw(self, canvas) -> None: ...
#> method Drawable.draw vis=public cc=1


class Point(NamedTuple):
#> class Point vis=public sig="class Point(NamedTuple)"
    x: int
#> field Point.x vis=public sig="x: int"
    y: int = 0
#> field Point.y vis=public sig="y: int = 0"


class Options(TypedDict, total=False):
#> class Options vis=public sig="class Options(TypedDict, total=False)"
    verbose: bool
#> field Options.verbose vis=public
