# prelude
def cast(type, value):
    return value


def assert_type(value, type):
    return value


def final(value):
    return value


def no_type_check(value):
    return value


def runtime_checkable(value):
    return value
