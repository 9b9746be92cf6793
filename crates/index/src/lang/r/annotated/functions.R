#!/usr/bin/env Rscript
# Functions in every form.
#
# Licensed to nobody.

library(stats)
#> import * from stats *

#' Adds numbers. Slowly.
#'
#' @param x,y Numbers.
#' @export
add <- function(x, y = 2, ...) {
#> function add vis=public cc=1 mods=- end=2 col=1 sig="add <- function(x, y = 2, ...)" doc="Adds numbers."
  x + y
}
equals = function(x) x
#> function equals sig="equals = function(x)"
global <<- function() 1
#> function global
below <-
#> function below end=4 sig="below <- function(x, y)"
  function(x,
           y) {
    x
  }
short <- \(x) x + 1
#> function short sig="short <- \(x)"
`my fun` <- function() 1
#> function my·fun
"quoted" <- function() 2
#> function quoted
print.widget <- function(x, ...) UseMethod("print")
#> function print.widget
`[.widget` <- function(x, i) x
#> function [.widget
`size<-` <- function(x, value) x
#> function size<-
`%+%` <- function(a, b) a
#> function %+%
.hidden <- function() NULL
#> function .hidden vis=private
a <- b <- function() 1
#> static a sig="a <- b <- function() 1"
#> function b col=6
(function() 1) -> right
#> static right
module$run <- function(x) x
#> function module::run col=8
deep$er$still <- function() 1
#> function deep::er::still
registry[["named"]] <- function() 1
#> function registry::named
assign("assigned", function(x) x)
#> function assigned sig="assign("assigned", function(x)"

outer <- function() {
#> function outer cc=1
  inner <- function(x) if (x) 1
#> function outer::inner vis=private cc=2
  value <- 1
  sapply(1:3, function(i) i)
  value <<- 2
}

#' @rdname add
#' @export
minus <- function(x, y) x - y
#> function minus doc=""
#' @title Times.
#' @param x A number.
times <- function(x) x
#> function times doc="Times."
## Plain words.
## On two lines.
plain <- function() 1
#> function plain doc="Plain words."
#' Roxygen's.
# not roxygen's
mixed <- function() 1
#> function mixed doc="Roxygen's."

if (interactive()) {
  conditional <- function() 1
#> function conditional vis=public
}
wrapped <- memoise(function(x) x)
#> static wrapped
