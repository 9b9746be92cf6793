"""Syntax of Python 3.12: type statements and type parameters."""
from typing import Protocol
#> import Protocol from typing Protocol

type Id = int
#> type_alias Id vis=public col=6
type Pair[T] = tuple[T, T]
#> type_alias Pair vis=public col=6
type _Hidden = dict[str, Id]
#> type_alias _Hidden vis=private
type = "a plain variable"
#> static type vis=public sig="type = "a plain variable""
match = type
#> static match vis=public


def first[T](items: list[T]) -> T:
#> function first vis=public sig="def first[T](items: list[T]) -> T" cc=1
    return items[0]


class Box[T: (int, str)]:
#> class Box vis=public sig="class Box[T: (int, str)]"
    item: T
#> field Box.item vis=public

    def map[U](self, fn: "Callable[[T], U]", default: dict = {"}": "{"}) -> "Box[U]":
#> method Box.map vis=public sig="def map[U](self, fn: "Callable[[T], U]", default: dict = {"}": "{"}) -> "Box[U]"" col=9
        return Box()


class Reader[T](Protocol):
#> interface Reader vis=public sig="class Reader[T](Protocol)"
    def read(self) -> T: ...
#> method Reader.read vis=public
