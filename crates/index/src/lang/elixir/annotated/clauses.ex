defmodule Clauses do
#> module Clauses
  @doc "Adds up."
  @spec sum([number], number) :: number
  def sum(list, acc \\ 0)
#> function Clauses.sum cc=2 end=2 sig="def sum(list, acc \\ 0)" doc="Adds up."
  def sum([], acc), do: acc
  def sum([head | tail], acc), do: sum(tail, acc + head)

  # The same name with other parameters is another function.
  def sum(a, b, c), do: a + b + c
#> function Clauses.sum#2 cc=1 sig="def sum(a, b, c)"

  def label(:ok), do: "ok"
#> function Clauses.label cc=6 end=15 sig="def label(:ok)"

  @doc false
  def label({:error, reason}) when is_binary(reason) do
    Enum.map(reason, fn x -> x end)
    reason
  end

  def label(other) do
    names = Enum.map([other], fn
      nil -> "none"
      name -> name
    end)

    if names == [], do: "", else: "#{names || "?"}"
  end

  # Parted by another function, the clauses are read as two.
  def parted(1), do: 1
#> function Clauses.parted cc=1 end=0
  def other, do: 2
#> function Clauses.other
  def parted(2), do: 2
#> function Clauses.parted#2 cc=1 end=0

  def left <~> right, do: {left, right}
#> function Clauses.<~> sig="def left <~> right"
  def +value, do: value
#> function Clauses.+ sig="def +value"
  def a ~> b when is_atom(a), do: b
#> function Clauses.~> cc=2 sig="def a ~> b when is_atom(a)"

  def unquote(:computed)(x), do: x
#> function Clauses.unquote(:computed) sig="def unquote(:computed)(x)"

  def if(a, b), do: {a, b}
#> function Clauses.if cc=1
  def test("name", do: block), do: block
#> function Clauses.test cc=1

  defguard is_even(n) when is_integer(n) and rem(n, 2) == 0
#> macro Clauses.is_even cc=2 vis=public sig="defguard is_even(n) when is_integer(n) and rem(n, 2) == 0"
  defguardp is_odd(n) when not is_even(n)
#> macro Clauses.is_odd cc=1 vis=private

  defmacro __using__(opts) do
#> macro Clauses.__using__ cc=1 end=7
    quote do
      @behaviour Clauses
      @opts unquote(opts)
      def child_spec(arg), do: arg
#> function Clauses.__using__.child_spec vis=public
      defoverridable child_spec: 1
    end
  end

  defmacrop hidden(x), do: x
#> macro Clauses.hidden vis=private

  defdelegate [reverse(list), length(list)], to: Enum
#> function Clauses.reverse
#> function Clauses.length

  def(parens(a), do: a)
#> function Clauses.parens

  if Mix.env() == :test do
    def only_in_tests, do: true
#> function Clauses.only_in_tests
  else
    def only_in_tests, do: false
#> function Clauses.only_in_tests#2 cc=1
  end

  def names do
#> function Clauses.names cc=1
    adder = fn a, b -> a + b end
#> function Clauses.names.adder vis=private sig="adder = fn a, b" cc=1
    _ = fn -> :ignored end
    Enum.map([1], &(&1 && adder.(&1, 1)))
    Enum.map([1], &to_string/1)
  end
end
