# prelude
def sub(pattern, repl, string, count=0, flags=0):
    repl.__call__()


def subn(pattern, repl, string, count=0, flags=0):
    repl.__call__()
