# prelude
def run(main, debug=None):
    return waited(main)


def run_until_complete(main):
    return waited(main)


async def waited(value):
    return await value


def create_task(task, name=None):
    return task


def ensure_future(task):
    return task


async def gather(*tasks):
    return [await task for task in tasks]


async def wait_for(task, timeout):
    return await task


def to_thread(function, *values, **named):
    return function(*values, **named)
