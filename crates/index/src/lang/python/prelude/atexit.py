# prelude
def register(function, *values, **named):
    function(*values, **named)
    return function
