resource "a" "before" {
#> block a.before
  x = 1
}

resource "a" "bad" {
#> block a.bad
  x = = 2
  y = [1, 2
}

variable "after" {
#> block var.after end=2
  type = string
}

locals {
  last = 1
#> constant local.last
}

output "end" { value = 1 }
#> block output.end
