defmodule Lookalikes do
#> module Lookalikes doc="Has `def not_here, do: 1` in its text."
  @moduledoc """
  Has `def not_here, do: 1` in its text.

      defmodule Example do
        def example, do: :ok
      end
  """

  # def commented(x), do: x
  def quoted, do: "def inside(x), do: x"
#> function Lookalikes.quoted
  def sigil, do: ~s(defmodule Inside do end)
#> function Lookalikes.sigil
  def char, do: ?"
#> function Lookalikes.char
  def hash, do: "#" <> "# no comment"
#> function Lookalikes.hash
  def define(x), do: def_x(x)
#> function Lookalikes.define
  def keys, do: [def: 1, if: 2, alias: Foo, do: 3]
#> function Lookalikes.keys cc=1
  def atoms, do: {:def, :defmodule, :"@type t"}
#> function Lookalikes.atoms
  def read, do: @value
#> function Lookalikes.read
  def defx, do: defp_y(1)
#> function Lookalikes.defx
  def piped(x), do: x |> Map.get(:test) |> Test.test("name")
#> function Lookalikes.piped
  def heredoc do
#> function Lookalikes.heredoc end=6
    """
    test "no" do

    end
    """
  end
  def ünïcode(λ), do: λ
#> function Lookalikes.ünïcode col=7
end
