ways <- function(x, y) {
#> function ways cc=11
  if (x > 1 && y || z) 1 else if (w) 2 else 3
  for (i in 1:3) next
  while (TRUE) break
  repeat break
  switch(x, a = 1, b = , c = 2, 3)
  x & y | z
  ifelse(x, 1, 2)
}
handles <- function() {
#> function handles cc=3
  tryCatch({
    stop("if")
  }, error = function(e) if (TRUE) 1, warning = function(w) 2, finally = 3)
}
nested <- function() {
#> function nested cc=1
  lapply(1, function(x) if (x) 1 else 2)
}
one <- function(x) if (x) 1
#> function one cc=2
