"""Decorators of every shape, async functions and generators."""
import contextlib
#> import contextlib from contextlib -
import functools
#> import functools from functools -
from dataclasses import dataclass, field
#> import dataclass from dataclasses dataclass
#> import field from dataclasses field
from typing import overload
#> import overload from typing overload

from .web import app
#> import app from .web app


def trace(func):
#> function trace vis=public cc=1 sig="def trace(func)" doc="Wrap a function." mods=- end=7
    """Wrap a function."""

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
#> function trace.wrapper vis=private cc=1 deco=functools.wraps(func) sig="def wrapper(*args, **kwargs)" col=9
        return func(*args, **kwargs)

    return wrapper


def retry(times=3, label="def nested():"):
#> function retry vis=public cc=1 sig="def retry(times=3, label="def nested():")" end=11
    def decorate(func):
#> function retry.decorate vis=private cc=1
        async def attempt(*args):
#> function retry.decorate.attempt vis=private cc=3 mods=async sig="async def attempt(*args)" col=19
            for _ in range(times):
                try:
                    return await func(*args)
                except OSError:
                    continue

        return attempt

    return decorate


@trace
@retry(times=5)
@app.route("/items/<id>", methods=["GET", "PUT"])
async def items(id):
#> function items vis=public cc=1 mods=async deco=trace deco=retry(times=5) deco="app.route("/items/<id>", methods=["GET", "PUT"])" sig="async def items(id)" end=1 col=11
    return id


@retry(
    times=2,
    label="(",
)
def spread():
#> function spread vis=public sig="def spread()" end=1 col=5
    return None


@(lambda f: f)
def odd():
#> function odd vis=public cc=1
    return 1


@app.handlers[0].register
def subscripted(): return "}"
#> function subscripted vis=public deco=app.handlers[0].register end=0


@dataclass(frozen=True)
class Config:
#> class Config vis=public deco=dataclass(frozen=True) sig="class Config" end=16
    host: str = "localhost"
#> field Config.host vis=public sig="host: str = "localhost""
    ports: list = field(default_factory=list)
#> field Config.ports vis=public
    on_error: object = None
#> field Config.on_error vis=public

    @functools.lru_cache(maxsize=None)
    def resolved(self):
#> method Config.resolved vis=public deco=functools.lru_cache(maxsize=None)
        return self.host

    @staticmethod
    @trace
    async def probe(host: str) -> bool:
#> method Config.probe mods=static,async deco=staticmethod deco=trace sig="async def probe(host: str) -> bool" col=15
        return bool(host)

    @functools.cached_property
    def url(self):
#> method Config.url vis=public deco=functools.cached_property
        return "http://" + self.host


@overload
def parse(raw: str) -> int: ...
#> function parse vis=public deco=overload sig="def parse(raw: str) -> int" cc=1 end=0
@overload
def parse(raw: bytes) -> float: ...
#> function parse#2 vis=public deco=overload sig="def parse(raw: bytes) -> float"
def parse(raw):
#> function parse#3 vis=public sig="def parse(raw)" cc=2
    return int(raw) if isinstance(raw, str) else float(raw)


def count(n):
#> function count vis=public mods=generator cc=2
    i = 0
    while i < n:
        yield i
        i += 1


def delegate(n):
#> function delegate mods=generator cc=1
    yield from count(n)


async def ticks():
#> function ticks mods=async,generator cc=2
    async for t in clock():
        yield t


def not_a_generator():
#> function not_a_generator mods=- cc=1
    def inner():
#> function not_a_generator.inner mods=generator vis=private
        yield 1

    return list(inner())


@contextlib.contextmanager
def opened(path, mode="r", *, encoding='utf-8'):
#> function opened vis=public mods=generator deco=contextlib.contextmanager sig="def opened(path, mode="r", *, encoding='utf-8')" cc=1
    handle = open(path, mode, encoding=encoding)
    try:
        yield handle
    finally:
        handle.close()


async def gather(urls):
#> function gather mods=async cc=3
    async with session() as s:
        return [await s.get(u) async for u in urls if u]


@functools.singledispatch
def render(value):
#> function render vis=public deco=functools.singledispatch
    return str(value)


@render.register(int)
def _render_int(value):
#> function _render_int vis=private deco=render.register(int)
    return f"{value:d}"


@render.register(list)
def _render_list(value):
#> function _render_list vis=private cc=2
    return ", ".join(render(v) for v in value)
