"""Text that looks like definitions.

def in_docstring():
    pass

class InDocstring: pass
"""

TEMPLATE = """
#> constant TEMPLATE vis=public
def in_string():
    return 1
class InString:
    x = 1
"""

RAW = r'''
#> constant RAW vis=public
@decorator
def in_raw(): ...
'''

# def in_comment():
#     pass


def after_strings(): # def trailing(): pass
#> function after_strings vis=public sig="def after_strings()" end=1
    return "def fake(): pass"


QUOTES = "it's \"quoted\" # not a comment"
#> constant QUOTES vis=public
F_STRING = f"{'def x(): pass'}{{class Y: pass}}"
#> constant F_STRING vis=public


def defaults(a="):", b='def c():', c={"k": "}"}, d=(1, (2, 3)), *e: "int", f=lambda: 0, **g) -> "dict[str, int]":
#> function defaults vis=public cc=1 sig="def defaults(a="):", b='def c():', c={"k": "}"}, d=(1, (2, 3)), *e: "int", f=lambda: 0, **g) -> "dict[str, int]"" end=1 col=5
    return {"def": a}


def continued(a, \
#> function continued vis=public end=3
              b):
    return a + \
        b


def one_liner(): return 1
#> function one_liner vis=public end=0 sig="def one_liner()"
def another(): x = 1; return x
#> function another vis=public end=0


class Weird: x = 1; y = 2
#> class Weird vis=public end=0
#> field Weird.x vis=public col=14
#> field Weird.y vis=public col=21


class WithString:
#> class WithString vis=public end=9
    sql = """
#> field WithString.sql vis=public
    def not_a_method(self):
        self.not_a_field = 1
    """

    def real(self):
#> method WithString.real vis=public
        text = "self.fake = 1"
        # self.commented = 2
        return text


def bracketed(
#> function bracketed vis=public cc=2 end=14 sig="def bracketed(value=["[",], other={ 1: (2,), },)"
    value=[
        "[",
    ],
    other={
        1: (
            2,
        ),
    },
):
    result = [
        v
        for v in value
    ]
    return result
def no_blank_line_between():
#> function no_blank_line_between vis=public col=5
  return 2
class TwoSpaces:
#> class TwoSpaces vis=public
  def indented_by_two(self):
#> method TwoSpaces.indented_by_two vis=public col=7
    return 3


def soft_keywords(match, case, type, _):
#> function soft_keywords vis=public cc=1 sig="def soft_keywords(match, case, type, _)"
    match(case)
    match[case] = type
    return _


print("last"); TAIL = """x
#> constant TAIL vis=public
def tail(): pass"""
