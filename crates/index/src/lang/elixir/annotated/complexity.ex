defmodule Complexity do
#> module Complexity
  def plain(x), do: x
#> function Complexity.plain cc=1

  def branches(x) do
#> function Complexity.branches cc=4
    if x, do: 1, else: 2

    unless x do
      1
    else
      if x, do: 2
    end
  end

  def cases(x) do
#> function Complexity.cases cc=5 end=7
    case x do
      1 -> :one
      n when n > 1 -> :many
      true -> :yes
      _ -> :none
    end
  end

  def conditions(x) do
#> function Complexity.conditions cc=4
    cond do
      x > 1 -> 1
      x == 1 or x == 0 -> 2
      true -> 3
    end
  end

  def loops(xs) do
#> function Complexity.loops cc=4
    for x <- xs, y <- x, y > 1, into: %{} do
      {x, y}
    end
  end

  def failures(x) do
#> function Complexity.failures cc=7
    try do
      x.()
    rescue
      e in ArgumentError -> e
      _ -> :other
    catch
      :exit, reason -> reason
    else
      :ok -> :fine
      _ -> :else
    after
      cleanup()
    end

    receive do
      :stop -> :ok
    after
      1_000 -> :late
    end
  end

  def with_else(x) do
#> function Complexity.with_else cc=3
    with {:ok, a} <- x, {:ok, b} <- a do
      b
    else
      :error -> 1
      {:error, _} -> 2
    end
  end

  def operators(a, b), do: a && b || !a and b
#> function Complexity.operators cc=4

  def inner(x) do
#> function Complexity.inner cc=1
    Enum.reduce(x, 0, fn
#> function Complexity.inner.<lambda1> cc=4
      1, acc -> acc
      n, acc when n > 1 -> acc + n
      _, acc -> acc
    end)
    Enum.map(x, &(&1 || 2))
#> function Complexity.inner.<lambda2> cc=2
  end

  def again(:a), do: fn -> 1 end
#> function Complexity.again cc=2
#> function Complexity.again.<lambda1>
  def again(:b), do: fn -> 2 end
#> function Complexity.again.<lambda2>

  @spec typed((integer -> integer)) :: (... -> any)
  def typed(f) when is_function(f), do: f
#> function Complexity.typed cc=2
end
