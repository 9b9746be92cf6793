# f <- function() 1
"f <- function() 1"
r"(g <- function() 1)"
x <- "setClass('No')"
#> static x
function_like <- 1
#> static function_like
list(function_value = function() 1)
setClass
test_that
quote(library)
library.dynam("no")
f(setMethod = "a")
if_else(a, b)
describe("not a test file", {
  kept <- 1
#> static kept
})
data$library <- 1
