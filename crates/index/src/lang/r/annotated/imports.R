library(dplyr)
#> import * from dplyr *
library("ggplot2", quietly = TRUE)
#> import * from ggplot2 *
suppressPackageStartupMessages(require(methods))
#> import * from methods *
library(package = stats4)
#> import * from stats4 *
library(name, character.only = TRUE)
library()
source("helpers/other.R")
#> import * from helpers/other.R *
source(file.path("a", "b"))
requireNamespace("no")
dplyr::filter(x)
use <- function() {
#> function use
  library(inner)
#> import * from inner *
}
