#!/usr/bin/env elixir
import Config
#> import * from Config *

config :app, key: "value"

greet = fn name -> "Hello #{name}" end
#> function greet vis=private sig="greet = fn name"

if System.get_env("CI") do
  IO.puts(greet.("you"))
end

x = 1
IO.puts(x)
