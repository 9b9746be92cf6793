"""Definitions inside other definitions and under conditions."""
import sys
#> import sys from sys -

try:
    import yaml
#> import yaml from yaml -
except ImportError:
    yaml = None
#> static yaml vis=public sig="yaml = None"

if sys.platform == "win32":
    SEP = "\\"
#> constant SEP vis=public

    def home():
#> function home vis=public cc=1 sig="def home()" col=9
        return "C:"
elif sys.platform == "darwin":
    SEP = ":"

    def home():
#> function home#2 vis=public cc=1
        return "/Users"
else:
    SEP = "/"

    def home(user=None):
#> function home#3 vis=public cc=2 sig="def home(user=None)" end=1
        return user or "/home"

try:
    from fast import speedup
#> import speedup from fast speedup
except ImportError:
    def speedup(f): return f
#> function speedup vis=public end=0
else:
    class Fast:
#> class Fast vis=public
        def go(self): pass
#> method Fast.go vis=public
finally:
    done = True
#> static done vis=public

with open("x"):
    def under_with():
#> function under_with vis=public
        return 1
    counter = 0
#> static counter vis=public


def outer(a):
#> function outer vis=public cc=2 sig="def outer(a)" end=28
    total = 0
    LIMIT = 10

    def middle(b):
#> function outer.middle vis=private cc=2 end=7 col=9
        def inner(c):
#> function outer.middle.inner vis=private cc=3 sig="def inner(c)" col=13
            if c and a:
                return c
            return b

        for _ in range(b):
            inner(b)

    class Local:
#> class outer.Local vis=private
        size = 3
#> field outer.Local.size

        def grow(self):
#> method outer.Local.grow cc=1
            def by(n):
#> function outer.Local.grow.by vis=private
                return n

            self.grown = by(2)
#> field outer.Local.grown
            return self

    if a:
        def only_if():
#> function outer.only_if vis=private
            pass

    total += LIMIT
    return Local, middle, total


def redefined():
#> function redefined vis=public
    return 1


def redefined():
#> function redefined#2 vis=public
    return 2


class Switch:
#> class Switch vis=public end=25
    if sys.version_info >= (3, 9):
        def pick(self):
#> method Switch.pick vis=public
            return 9

        flavour = "new"
#> field Switch.flavour vis=public
    else:
        def pick(self):
#> method Switch.pick#2 vis=public
            return 8

        flavour = "old"

    try:
        from_env = sys.argv[1]
#> field Switch.from_env vis=public
    except IndexError:
        from_env = None

    def method(self):
#> method Switch.method vis=public cc=1 mods=-
        class Inside:
#> class Switch.method.Inside vis=private
            def run(self):
#> method Switch.method.Inside.run cc=2
                return 1 if self else 2

        def helper():
#> function Switch.method.helper vis=private cc=1
            return Inside()

        return helper


def lambdas():
#> function lambdas vis=public cc=1
    ordered = sorted([3, 1], key=lambda v: v if v else 0)
#> function lambdas.<lambda1> cc=2
    return ordered, (lambda: 1)
#> function lambdas.<lambda2> cc=1


if True:
    if True:
        class Deep:
#> class Deep vis=public
            pass

if __name__ == "__main__":
    exit_code = outer(1)
#> static exit_code vis=public
