defmodule Broken do
#> module Broken
  def before(x), do: x
#> function before

  def open(x do
    x +
  end

  def after_error(y) do
#> function after_error
    y
  end
end

defmodule Later do
#> module Later
  def fine, do: 1
#> function Later.fine
end
