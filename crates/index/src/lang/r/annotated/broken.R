before <- function() 1
#> function before

lost <- function(x {
  x
}

after <- function() {
#> function after cc=2
  if (TRUE) 1
}

x <- )
#> static x
last <- 1
#> static last
finally <- function() 1
#> function finally
