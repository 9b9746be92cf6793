# Where.
region = "eu-west-1"
#> key region sig="region = "eu-west-1"" doc="Where." vis=public
counts = {
#> key counts sig="counts" end=3
  a = 1
  b = 2
}
names = ["a", "b"]
#> key names sig="names = ["a", "b"]"
text  = "a = 1"
#> key text
