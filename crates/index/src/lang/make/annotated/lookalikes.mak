# target: not one
# NAME = not one \
also: not one
TEXT = "a: b" 'c = d' # e: f
#> static TEXT
URL = http://example.com:80/?a=b
#> static URL sig="URL = http://example.com:80/?a=b"
define_: defines
#> target define_ sig="define_: defines"
endef_: x
#> target endef_
include_: y
#> target include_
export: z
#> target export
override: w
#> target override
ifeqx: v
#> target ifeqx
C\:/path: u
#> target C\:/path
recipe:
#> target recipe end=6
	target: not one
	NAME = not one
	define no
	ifeq no
	include no
	echo 'unclosed $( # { "

after:
#> target after
!IF "$(A)" == "B"
!include <win.mak>
.if ${X} == y
.include <bsd.prog.mk>
.endif
a b = c
last = $(unclosed
#> static last sig="last = $(unclosed"
= nothing
: nothing
