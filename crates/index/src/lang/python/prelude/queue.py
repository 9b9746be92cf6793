# prelude
class Queue:
    def __init__(self, maxsize=0):
        pass

    def put(self, item, block=True, timeout=None):
        self._items = item

    def put_nowait(self, item):
        self._items = item

    def get(self, block=True, timeout=None):
        return self._items

    def get_nowait(self):
        return self._items


class LifoQueue(Queue):
    pass


class PriorityQueue(Queue):
    pass


class SimpleQueue(Queue):
    pass
