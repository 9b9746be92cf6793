# prelude
class list:
    def __init__(self, values=()):
        for value in values:
            self[...] = value

    def append(self, value):
        self[...] = value

    def add(self, value):
        self[...] = value

    def insert(self, at, value):
        self[...] = value

    def extend(self, values):
        for value in values:
            self[...] = value

    def pop(self, at=0):
        return self[...]

    def copy(self):
        return self

    def sort(self, key=None, reverse=False):
        key(self[...])
        self[...].__lt__(self[...])

    def index(self, value):
        pass

    def count(self, value):
        pass

    def remove(self, value):
        pass

    def clear(self):
        pass

    def reverse(self):
        pass

    def __add__(self, other):
        return [value for values in (self, other) for value in values]

    def __mul__(self, times):
        return self


class tuple(list):
    pass


class set(list):
    def update(self, values):
        for value in values:
            self[...] = value

    def union(self, values):
        for value in values:
            self[...] = value
        return self

    def difference(self, values):
        return self

    def intersection(self, values):
        return self

    def discard(self, value):
        pass


class dict:
    def __init__(self, *values, **entries):
        self[...] = entries[...]
        for value in values:
            self[...] = value[...]

    def get(self, key, default=None):
        if key:
            return self[...]
        return default

    def setdefault(self, key, default=None):
        self[...] = default
        return self[...]

    def pop(self, key, default=None):
        if key:
            return self[...]
        return default

    def update(self, values=(), **entries):
        self[...] = values[...]
        self[...] = entries[...]

    def values(self):
        return [self[...]]

    def items(self):
        return [(None, self[...])]

    def keys(self):
        return [key for key in self]

    def copy(self):
        return self

    def popitem(self):
        return (None, self[...])

    def __or__(self, other):
        return {**self, **other}

    def clear(self):
        pass


class generator:
    def send(self, value):
        self._sent = value
        return self[...]

    def __next__(self):
        return self[...]

    def close(self):
        pass

    def throw(self, error):
        pass


class coroutine:
    def send(self, value):
        return self[...]

    def add_done_callback(self, callback):
        callback(self)

    def result(self):
        return self[...]

    def cancel(self):
        pass


class str:
    def capitalize(self): pass
    def casefold(self): pass
    def center(self, width): pass
    def count(self, text): pass
    def encode(self, encoding): pass
    def endswith(self, text): pass
    def expandtabs(self): pass
    def find(self, text): pass
    def format(self, *values, **named):
        for value in values:
            value.__str__()
    def format_map(self, values): pass
    def index(self, text): pass
    def isalnum(self): pass
    def isdigit(self): pass
    def join(self, values): pass
    def ljust(self, width): pass
    def lower(self): pass
    def lstrip(self): pass
    def partition(self, text): pass
    def replace(self, old, new): pass
    def rjust(self, width): pass
    def rsplit(self, text): pass
    def rstrip(self): pass
    def split(self, text): pass
    def splitlines(self): pass
    def startswith(self, text): pass
    def strip(self): pass
    def title(self): pass
    def translate(self, table): pass
    def upper(self): pass
    def zfill(self, width): pass
    def __new__(cls, value=""):
        value.__str__()


def map(function, *lists):
    return [function(values[...]) for values in lists]


def filter(function, values):
    for value in values:
        function(value)
    return [value for value in values]


def sorted(values, key=None, reverse=False):
    for value in values:
        key(value)
        value.__lt__(value)
    return [value for value in values]


def min(*values, key=None, default=None):
    for value in values:
        key(value)
        for inner in value:
            key(inner)
            return inner
    return values[...]


def max(*values, key=None, default=None):
    for value in values:
        key(value)
        for inner in value:
            key(inner)
            return inner
    return values[...]


def reversed(values):
    return [value for value in values]


def enumerate(values, start=0):
    return [(None, value) for value in values]


def zip(first=(), second=(), third=(), fourth=(), strict=False):
    return [(a, b, c, d) for a in first for b in second for c in third for d in fourth]


def iter(values, sentinel=None):
    values.__iter__()
    values.__call__()
    return [value for value in values]


def next(values, default=None):
    return values.__next__()


def sum(values, start=0):
    for value in values:
        return value


def any(values):
    for value in values:
        value.__bool__()


def all(values):
    for value in values:
        value.__bool__()


def len(value):
    return value.__len__()


def repr(value):
    return value.__repr__()


def print(*values, **options):
    for value in values:
        value.__str__()


def hash(value):
    return value.__hash__()


def bool(value=False):
    value.__bool__()


def int(value=0):
    value.__int__()


def float(value=0):
    value.__float__()


def abs(value):
    return value.__abs__()


def round(value, digits=0):
    return value.__round__()


def format(value, text=""):
    return value.__format__(text)


def vars(value):
    return value.__dict__


class property:
    def __init__(self, fget=None, fset=None, fdel=None, doc=None):
        self.fget = fget
        self.fset = fset

    def __get__(self, instance, owner):
        return self.fget(instance)

    def __set__(self, instance, value):
        self.fset(instance, value)


class staticmethod:
    def __init__(self, function):
        self.__func__ = function

    def __get__(self, instance, owner):
        return self.__func__


class classmethod:
    def __init__(self, function):
        self.__func__ = function

    def __get__(self, instance, owner):
        def bound(*values, **named):
            return self.__func__(owner, *values, **named)
        return bound
