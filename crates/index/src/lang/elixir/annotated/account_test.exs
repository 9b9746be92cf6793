#> file: test/bank/account_test.exs
defmodule Bank.AccountTest do
#> module Bank.AccountTest
  use ExUnit.Case, async: true
#> import - from ExUnit.Case -
  doctest Bank.Account

  @moduletag :slow

  setup do
    {:ok, account: 1}
  end

  test "opens an account" do
#> test Bank.AccountTest.opens·an·account cc=1 end=2 sig="test "opens an account""
    assert true
  end

  describe "withdraw/2" do
#> namespace Bank.AccountTest.withdraw/2 end=13 cc=0
    setup [:funds]

    @tag :capture_log
    @tag timeout: 1_000
    test "fails, below zero", %{account: account} do
#> test Bank.AccountTest.withdraw/2.fails,·below·zero cc=2 deco="tag :capture_log" deco="tag timeout: 1_000"
      if account, do: :ok
    end

    test "is not written yet"

    defp funds(context), do: context
#> function Bank.AccountTest.withdraw/2.funds vis=private
    property "never #{:loses} money", do: check()
#> test Bank.AccountTest.withdraw/2.never·#{:loses}·money
  end

  test "modules inside tests" do
#> test Bank.AccountTest.modules·inside·tests
    defmodule Local do
#> module Bank.AccountTest.modules·inside·tests.Local
      @value 1
#> constant Bank.AccountTest.modules·inside·tests.Local.value
      def run, do: @value
#> function Bank.AccountTest.modules·inside·tests.Local.run
    end
  end
end
