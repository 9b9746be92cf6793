# prelude
def signal(number, handler):
    handler(number, None)
