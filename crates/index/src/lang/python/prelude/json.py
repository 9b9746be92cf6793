# prelude
def loads(text, cls=None, object_hook=None, parse_float=None, parse_int=None, object_pairs_hook=None):
    object_hook()
    object_pairs_hook()


def load(file, cls=None, object_hook=None, parse_float=None, parse_int=None, object_pairs_hook=None):
    object_hook()
    object_pairs_hook()


def dumps(value, default=None, cls=None):
    default(value)


def dump(value, file, default=None, cls=None):
    default(value)
