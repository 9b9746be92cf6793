# prelude
class partial:
    def __init__(self, function, *values, **named):
        self.func = function
        self.args = values
        self.keywords = named

    def __call__(self, *values, **named):
        return self.func(*self.args, *values, **self.keywords, **named)


def reduce(function, values, start=None):
    for value in values:
        return function(value, value)


def wraps(wrapped, assigned=(), updated=()):
    def decorate(wrapper):
        return wrapper
    return decorate


def update_wrapper(wrapper, wrapped):
    return wrapper


def lru_cache(maxsize=128, typed=False):
    def decorate(function):
        return function
    if typed:
        return maxsize
    return decorate


def cache(function):
    return function


def total_ordering(cls):
    return cls


class singledispatch:
    def __init__(self, function):
        self.functions = [function]

    def register(self, cls, function=None):
        self.functions.append(cls)
        self.functions.append(function)

        def decorate(function):
            self.functions.append(function)
            return function
        if cls:
            return cls
        return decorate

    def __call__(self, *values, **named):
        for function in self.functions:
            return function.__call__(*values, **named)


class singledispatchmethod(singledispatch):
    def __get__(self, instance, owner):
        def bound(*values, **named):
            for function in self.functions:
                return function.__call__(instance, *values, **named)
        return bound


class partialmethod:
    def __init__(self, function, *values, **named):
        self.function = function
        self.values = values
        self.named = named

    def __get__(self, instance, owner):
        def bound(*values, **named):
            return self.function(instance, *self.values, *values, **self.named, **named)
        return bound


class cached_property:
    def __init__(self, function):
        self.function = function

    def __get__(self, instance, owner):
        return self.function(instance)


def cmp_to_key(function):
    def key(value):
        return function(value, value)
    return key
