# prelude
class Thread:
    def __init__(self, group=None, target=None, name=None, args=(), kwargs={}, daemon=None):
        self._target = target
        self._args = args
        self._kwargs = kwargs

    def start(self):
        self.run()

    def run(self):
        self._target(*self._args, **self._kwargs)

    def join(self, timeout=None):
        pass


class Timer(Thread):
    def __init__(self, interval, function, args=(), kwargs={}):
        self._target = function
        self._args = args
        self._kwargs = kwargs
