# prelude
def chain(*lists):
    return [value for values in lists for value in values]


def starmap(function, lists):
    return [function(*values) for values in lists]


def takewhile(function, values):
    for value in values:
        function(value)
    return values


def dropwhile(function, values):
    for value in values:
        function(value)
    return values


def filterfalse(function, values):
    for value in values:
        function(value)
    return values


def groupby(values, key=None):
    for value in values:
        key(value)
    return [(None, values)]


def accumulate(values, function=None):
    for value in values:
        function(value, value)
    return values


def islice(values, *bounds):
    return values


def cycle(values):
    return values
