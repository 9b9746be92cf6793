# prelude
def field(default=None, default_factory=None, init=True, repr=True, hash=None, compare=True, metadata=None, kw_only=False):
    if default_factory:
        return default_factory()
    return default


def replace(value, **changes):
    return value
