"""A file with several syntax errors in it."""
import os
#> import os from os -

BEFORE = 1
#> constant BEFORE vis=public


def sound(a, b=2):
#> function sound vis=public cc=2 sig="def sound(a, b=2)" end=3
    if a:
        return a
    return b


class Whole:
#> class Whole vis=public
    size = 3
#> field Whole.size vis=public

    def grow(self):
#> method Whole.grow vis=public
        self.grown = True
#> field Whole.grown vis=public
        return self


value = = 3
#> static value


def between():
#> function between vis=public
    return 1


sound(1, 2))


@staticmethod
def decorated(x):
#> function decorated vis=public deco=staticmethod
    return x


os.path ! os.sep


class After(Whole):
#> class After vis=public sig="class After(Whole)"
    def shrink(self, by=1):
#> method After.shrink vis=public sig="def shrink(self, by=1)"
        return by


def unfinished_body():
#> function unfinished_body vis=public
    return 5 $


def last(n):
#> function last vis=public cc=2
    while n:
        n -= 1
    return n


AFTER = 2
#> constant AFTER vis=public
