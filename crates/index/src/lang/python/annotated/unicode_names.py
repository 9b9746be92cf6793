"""Namen, die nicht ASCII sind."""
from größen import länge as l
#> import l from größen länge

π = 3.14159
#> static π vis=public sig="π = 3.14159" col=1
ä = "üüü"; höhe = 2
#> static ä vis=public col=1
#> static höhe vis=public col=12
GRÖSSE = 5
#> constant GRÖSSE vis=public
_größe = 5
#> static _größe vis=private


def größe(maß="ß", *, Δ=0.1):
#> function größe vis=public cc=1 sig="def größe(maß="ß", *, Δ=0.1)" doc="Berechnet die Größe." col=5 end=2
    """Berechnet die Größe."""
    return maß


class Ñandú:
#> class Ñandú vis=public col=7
    плюмаж = "серый"
#> field Ñandú.плюмаж vis=public col=5

    def __init__(self, 名前):
#> constructor Ñandú.__init__ vis=public cc=1
        self.名前 = 名前
#> field Ñandú.名前 vis=public col=14

    def бежать(self, быстро=True): return "🐦" if быстро else ""
#> method Ñandú.бежать vis=public cc=2 col=9 end=0


def 数える(値):
#> function 数える vis=public col=5
    return len(値)
