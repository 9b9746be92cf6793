defprotocol Size do
#> interface Size vis=public doc="How large something is." sig="defprotocol Size"
  @moduledoc "How large something is."
  @fallback_to_any true

  @doc "The size."
  @spec size(t) :: integer
  def size(data)
#> method Size.size vis=public mods=abstract doc="The size." sig="def size(data)"
end

defimpl Size, for: BitString do
  @unit 8
#> constant Size.BitString.unit
  def size(text), do: byte_size(text) * @unit
#> method Size.BitString.size mods=- sig="def size(text)"
end

defimpl Size, for: [Map, List] do
  def size([]), do: 0
#> method Size.Map.size cc=2 end=1
  def size(many), do: helper(many)
  defp helper(many), do: Enum.count(many)
#> method Size.Map.helper vis=private
end

defmodule Shapes.Square do
#> module Shapes.Square
  defstruct ~w(side colour)a
#> field Shapes.Square.side sig="~w(side colour)a"
#> field Shapes.Square.colour

  defimpl Size do
    def size(square), do: square.side ** 2
#> method Size.Shapes.Square.size
  end

  defimpl Inspect, for: __MODULE__ do
    defmodule Helper do
#> module Inspect.Shapes.Square.Helper
      def draw(x), do: x
#> function Inspect.Shapes.Square.Helper.draw
    end
  end

  def side(square), do: square.side
#> function Shapes.Square.side#2
end

defmodule Records do
#> module Records
  require Record
#> import - from Record -
  Record.defrecord(:user, name: "", age: 0)
#> struct Records.user vis=public sig="Record.defrecord(:user, name: "", age: 0)"
#> field Records.user.name sig="name: """
#> field Records.user.age
  Record.defrecordp :point, [:x, y: 1]
#> struct Records.point vis=private
#> field Records.point.x
#> field Records.point.y
end
