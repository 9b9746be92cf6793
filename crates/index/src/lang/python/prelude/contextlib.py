# prelude
class _Manager:
    def __init__(self, values):
        self.values = values

    def __enter__(self):
        for value in self.values:
            return value

    def __exit__(self, *error):
        pass

    def __aenter__(self):
        for value in self.values:
            return value

    def __aexit__(self, *error):
        pass


def contextmanager(function):
    def helper(*values, **named):
        return _Manager(function(*values, **named))
    return helper


def asynccontextmanager(function):
    def helper(*values, **named):
        return _Manager(function(*values, **named))
    return helper


class closing:
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *error):
        self.thing.close()
