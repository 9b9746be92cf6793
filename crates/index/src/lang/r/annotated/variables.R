# How many.
LIMIT <- 10
#> constant LIMIT doc="How many." vis=public sig="LIMIT <- 10"
state <- new.env()
#> static state
state <- 2
.cache = list(a = 1,
#> static .cache vis=private end=1
              b = function() 2)
3 -> three
#> static three sig="3 -> three" col=6
"text" <- "a
#> static text end=2

b"
names(state) <- "x"
state$field <- 1
state[[1]] <- 1
if (TRUE) maybe <- 1
#> static maybe
for (i in 1:3) last <- i
#> static last
local({
  hidden <- 1
  found <- function() 1
#> function found
})
suppressWarnings(kept <- 1)
#> static kept
f(argument = 1)
x == 1
x %in% y
formula <- y ~ x
#> static formula
