#!/usr/bin/make -f
include config.mk $(wildcard local/*.mk) # comment
#> import * from config.mk *
#> import * from $(wildcard local/*.mk) *
-include $(DEPS)
#> import * from $(DEPS) *
sinclude maybe.mk
#> import * from maybe.mk *
include

# Compiles $(1).
define compile
#> macro compile sig="define compile" doc="Compiles $(1)." cc=1 end=6
# a comment inside
$(1): $(2)
	$(CC) -o $$@ $$<
define inner
endef
endef

define text =
#> macro text end=2
not: a target
endef
override define forced
#> macro forced col=17
x = 1
endef
define empty
#> macro empty end=1
endef

$(eval $(call compile,a,b))
$(foreach x,a b,$(info $(x)))

ifdef DEBUG
# In a conditional.
LEVEL = 3
#> static LEVEL doc="In a conditional." sig="LEVEL = 3"
check:
#> target check end=1
	./check
else ifeq "$(LEVEL)" "x"
LEVEL = 2
else
LEVEL = 1
endif
  indented = 1
#> static indented col=3
	tabbed = 2
#> static tabbed
vpath %.c src
VPATH = src:lib
#> static VPATH sig="VPATH = src:lib"
undefine LEVEL
unexport LEVEL
