variables {
#> block variables
  name = "x"
}
run "creates_it" {
#> test run.creates_it cc=1 sig="run "creates_it""
  command = plan
  assert {
    condition     = output.ip != ""
    error_message = "none"
  }
}
