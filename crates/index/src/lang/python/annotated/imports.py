"""Every form of import, and nothing that only looks like one."""
from __future__ import annotations
#> import annotations from __future__ annotations

import os
#> import os from os -
import os.path
#> import os from os.path -
import sys, json
#> import sys from sys -
#> import json from json -
import collections.abc as cabc
#> import cabc from collections.abc -
import re as regex, math
#> import regex from re -
#> import math from math -
from typing import TYPE_CHECKING, Any as Anything
#> import TYPE_CHECKING from typing TYPE_CHECKING
#> import Anything from typing Any
from a.b import c as d
#> import d from a.b c
from a.b import (e, f as g)
#> import e from a.b e
#> import g from a.b f
from . import sibling
#> import sibling from . sibling
from .. import uncle as relative
#> import relative from .. uncle
from .local import helper
#> import helper from .local helper
from ...deep.path import thing
#> import thing from ...deep.path thing
from wild import *
#> import * from wild *
from .wilder import *
#> import * from .wilder *
from shapes import (
    Circle,
#> import Circle from shapes Circle
    Square as Box,
#> import Box from shapes Square
)

if TYPE_CHECKING:
    from decimal import Decimal
#> import Decimal from decimal Decimal

try:
    import fast_codec as codec
#> import codec from fast_codec -
except ImportError:
    import slow_codec as codec
#> import codec from slow_codec -

# import commented_out
text = """
#> static text vis=public
import not_an_import
from nowhere import nothing
"""


def lazy(value):
#> function lazy vis=public cc=1 sig="def lazy(value)" end=3
    import base64
#> import base64 from base64 -
    from binascii import hexlify as to_hex
#> import to_hex from binascii hexlify
    return to_hex(base64.b64encode(value))


class Loader:
#> class Loader vis=public sig="class Loader"
    from string import ascii_letters as letters
#> import letters from string ascii_letters

    def load(self):
#> method Loader.load vis=public cc=1
        from .plugins import registry
#> import registry from .plugins registry
        return registry
