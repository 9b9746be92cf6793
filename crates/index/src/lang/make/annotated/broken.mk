before:
#> target before
	echo
this is no line of make
another <<<< ))) line
define never
#> macro never
closed: nothing below is anything
after:
	echo
endef
real: x
#> target real
	echo $(
last := 1
#> static last
