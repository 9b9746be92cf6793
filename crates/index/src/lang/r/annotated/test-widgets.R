#> file: tests/testthat/test-widgets.R
library(testthat)
#> import * from testthat *

# Adding works.
test_that("adding works", {
#> test adding·works doc="Adding works." end=3 cc=2 sig="test_that("adding works""
  x <- 1
  if (x) expect_equal(add(1, 1), 2)
})
test_that('single', { helper <- function() 1 })
#> test single
#> function single::helper vis=private
describe("widgets", {
#> namespace widgets
  it("can be made", {
#> test widgets::can·be·made
    expect_true(TRUE)
  })
})
testthat::test_that("with a package", expect_true(TRUE))
#> test with·a·package
helper <- function() 1
#> function helper
