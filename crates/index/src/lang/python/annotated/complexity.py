"""One function for each kind of decision point."""


def straight():
#> function straight cc=1
    x = 1
    y = x + 1
    return y


def one_if(a):
#> function one_if cc=2
    if a:
        return 1
    return 2


def if_else(a):
#> function if_else cc=2
    if a:
        return 1
    else:
        return 2


def chain(a):
#> function chain cc=4
    if a == 1:
        return 1
    elif a == 2:
        return 2
    elif a == 3:
        return 3
    else:
        return 4


def else_if_nested(a, b):
#> function else_if_nested cc=3
    if a:
        return 1
    else:
        if b:
            return 2
    return 3


def for_loop(xs):
#> function for_loop cc=2
    for x in xs:
        print(x)
    else:
        print("done")


def while_loop(n):
#> function while_loop cc=2
    while n:
        n -= 1
    else:
        n = 0
    return n


async def async_loop(xs):
#> function async_loop cc=2
    async for x in xs:
        print(x)


def excepts():
#> function excepts cc=3
    try:
        work()
    except ValueError:
        return 1
    except (KeyError, OSError) as error:
        return error
    else:
        return 2
    finally:
        print("end")


def bare_except():
#> function bare_except cc=2
    try:
        work()
    except:
        pass


def ternary(a):
#> function ternary cc=2
    return 1 if a else 2


def ternary_twice(a, b):
#> function ternary_twice cc=3
    return 1 if a else 2 if b else 3


def ands(a, b, c):
#> function ands cc=3
    return a and b and c


def mixed(a, b, c, d):
#> function mixed cc=4
    return (a and b) or (c or not d)


def list_comp(xs):
#> function list_comp cc=3
    return [x for x in xs if x]


def double_comp(xs):
#> function double_comp cc=5
    return {x: y for x in xs if x for y in x if y}


def set_comp(xs):
#> function set_comp cc=2
    return {x for x in xs}


def generator_expression(xs):
#> function generator_expression cc=4 mods=-
    return sum(x for x in xs if x > 1 and x < 9)


def comp_with_ternary(xs):
#> function comp_with_ternary cc=3
    return [x if x else 0 for x in xs]


def matching(command):
#> function matching cc=5
    match command:
        case "go":
            return 1
        case ["turn", way] if way:
            return 2
        case "a" | "b":
            return 3
        case _:
            return 4


def match_without_default(point):
#> function match_without_default cc=3
    match point:
        case {"x": 0}:
            return 0
        case Point(x=1):
            return 1


def asserts(a):
#> function asserts cc=1
    assert a, "a must be true if given"
    assert a is not None


def assert_with_or(a, b):
#> function assert_with_or cc=2
    assert a or b


def with_block(path):
#> function with_block cc=1
    with open(path) as handle:
        return handle.read()


def words_in_strings():
#> function words_in_strings cc=1
    # if this and that or while
    return "if a and b or c: for x in y"


def inside_f_string(a, b):
#> function inside_f_string cc=3
    return f"{a if a else 'none'} {a or b}"


def nested_apart(a):
#> function nested_apart cc=2
    def inner(b):
#> function nested_apart.inner cc=4
        if b and a:
            return 1
        return 2 if b else 3

    if a:
        return inner
    return None


def lambda_apart(xs):
#> function lambda_apart cc=1
    return sorted(xs, key=lambda x: x and 1 or 2)
#> function lambda_apart.<lambda1> cc=3


def class_apart(a):
#> function class_apart cc=2
    class Inner:
#> class class_apart.Inner
        if sys:
            flag = 1
#> field class_apart.Inner.flag

        def run(self):
#> method class_apart.Inner.run cc=3
            while True:
                if self:
                    break

    return Inner if a else None


choose = lambda a, b: a if a else b or None
#> static choose
#> function <lambda1> cc=3


class Machine:
#> class Machine
    def __init__(self, on=None):
#> constructor Machine.__init__ cc=2
        self.on = on or False
#> field Machine.on

    def step(self, n):
#> method Machine.step cc=7
        for i in range(n):
            if i % 2 and self.on:
                continue
            elif i > 5:
                break
            while self.on:
                self.on = not self.on
        return [j for j in range(n)]

    @property
    def state(self):
#> method Machine.state cc=2
        return "on" if self.on else "off"

    pick = lambda self, a: a or self
#> field Machine.pick
#> function Machine.<lambda1> cc=2


def everything(a, b):
#> function everything cc=9
    result = []
    for x in a:
        try:
            if x and b:
                result.append(x)
            elif x or b:
                result.append(b)
        except TypeError:
            while b:
                b = b - 1 if b > 1 else 0
    return result
