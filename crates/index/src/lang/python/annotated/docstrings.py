# A comment is not a module doc.


def plain():
#> function plain doc="Say hello."
    """Say hello."""


def no_period():
#> function no_period doc="Say hello"
    """Say hello

    The body of the doc. It goes on.
    """


def two_sentences():
#> function two_sentences doc="First one."
    """First one. Second one."""


def on_next_line():
#> function on_next_line doc="Starts on the second line." end=6
    """
    Starts on the second line.

    Args:
        none
    """


def single_quotes():
#> function single_quotes doc="Single quotes."
    'Single quotes.'


def triple_single():
#> function triple_single doc="Triple single quotes."
    '''Triple single quotes.'''


def raw():
#> function raw doc="Raw doc."
    r"""Raw doc."""


def with_number():
#> function with_number doc="Scales by 1.5 units."
    """Scales by 1.5 units. Then stops."""


def question():
#> function question doc="Has `code` in it."
    """Has `code` in it.
    And a second line.
    """


# A comment above is not a doc.
def comment_above():
#> function comment_above doc=""
    return 1


def comment_first():
#> function comment_first doc="After a comment."
    # a comment before the docstring
    """After a comment."""


def f_string_is_no_doc():
#> function f_string_is_no_doc doc=""
    f"""Not a doc."""


def bytes_are_no_doc():
#> function bytes_are_no_doc doc=""
    b"Not a doc."


def string_later_is_no_doc():
#> function string_later_is_no_doc doc=""
    x = 1
    """Not a doc."""
    return x


def assigned_is_no_doc():
#> function assigned_is_no_doc doc=""
    text = """Not a doc."""
    return text


def one_line(): "On the same line."
#> function one_line doc="On the same line." end=0


def unicode_doc():
#> function unicode_doc doc="Größe in µm – naïve."
    """Größe in µm – naïve. Ja."""


class Documented:
#> class Documented doc="A documented class."
    """A documented class.

    Attributes:
        x: something
    """

    def method(self):
#> method Documented.method doc="A documented method."
        """A documented method."""

    @property
    def prop(self):
#> method Documented.prop doc="The property."
        """The property."""
        return 1

    @staticmethod
    def multi(
#> method Documented.multi doc="After a long signature." sig="def multi(a, b=None,)"
        a,
        b=None,
    ):
        """After a long signature."""


async def coroutine():
#> function coroutine doc="Waits." mods=async
    """Waits."""
