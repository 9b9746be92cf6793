# prelude
class _Executor:
    def __init__(self, max_workers=None, *values, **named):
        pass

    def submit(self, function, *values, **named):
        future = coroutine()
        future[...] = function(*values, **named)
        return future

    def map(self, function, *lists):
        return [function(values[...]) for values in lists]

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def shutdown(self, wait=True):
        pass


class ThreadPoolExecutor(_Executor):
    pass


class ProcessPoolExecutor(_Executor):
    pass


def as_completed(futures):
    return futures
