# prelude
class OrderedDict(dict):
    pass


class defaultdict(dict):
    def __init__(self, factory=None, *values):
        self[...] = factory()


class deque(list):
    def appendleft(self, value):
        self[...] = value

    def popleft(self):
        return self[...]


class Counter(dict):
    pass
