defmodule Bank.Account do
#> module Bank.Account vis=public mods=- sig="defmodule Bank.Account" doc="An account with a balance." end=62 col=11
  @moduledoc """
  An account with a balance.

  It is kept in memory, # with a sign that opens no comment.
  """

  @derive {Inspect, only: [:id]}
  @enforce_keys [:id]
  defstruct [:id, owner: nil, balance: 0]
#> field Bank.Account.id sig=":id" vis=public
#> field Bank.Account.owner sig="owner: nil"
#> field Bank.Account.balance sig="balance: 0"

  @typedoc "What an account is."
  @type t :: %__MODULE__{id: integer, owner: String.t() | nil, balance: integer}
#> type_alias Bank.Account.t vis=public doc="What an account is." sig="@type t :: %__MODULE__{id: integer, owner: String.t() | nil, balance: integer}"
  @typep pair(a) :: {a, a}
#> type_alias Bank.Account.pair vis=private sig="@typep pair(a) :: {a, a}"
  @opaque secret ::
#> type_alias Bank.Account.secret vis=public end=2
            binary
            | nil

  @limit 1_000 * 10
#> constant Bank.Account.limit vis=private sig="@limit 1_000 * 10" col=4
  @limit 2_000
  @external_resource "rates.csv"

  @doc "Opens an account."
  @doc since: "1.2.0"
  @spec open(integer, String.t() | nil) :: t
  def open(id, owner \\ nil) do
#> function Bank.Account.open vis=public cc=1 end=2 sig="def open(id, owner \\ nil)" doc="Opens an account." deco="spec open(integer, String.t() | nil) :: t" col=7
    %__MODULE__{id: id, owner: owner}
  end

  @doc ~S"""
  Takes money out. Fails below zero.

      iex> withdraw(account, 5)
  """
  # A comment between the two does not part them.
  @max 10
#> constant Bank.Account.max
  def withdraw(%__MODULE__{balance: balance} = account, amount) when amount > 0 and amount <= @limit do
#> function Bank.Account.withdraw cc=4 end=6 doc="Takes money out." sig="def withdraw(%__MODULE__{balance: balance} = account, amount) when amount > 0 and amount <= @limit"
    if balance < amount do
      {:error, :short}
    else
      {:ok, %{account | balance: balance - amount}}
    end
  end

  @doc false
  def internal?, do: true
#> function Bank.Account.internal? cc=1 end=0 vis=public doc="" sig="def internal?"

  # Comments are for those who read the code, not documentation.
  defp check!(x), do: x
#> function Bank.Account.check! vis=private doc="" sig="defp check!(x)"

  defdelegate size(map), to: Map, as: :size
#> function Bank.Account.size vis=public sig="defdelegate size(map), to: Map, as: :size"

  @doc "Told when an account changes."
  @callback changed(t, reason :: atom) :: :ok | {:error, term}
#> method Bank.Account.changed vis=public mods=abstract cc=1 doc="Told when an account changes." sig="@callback changed(t, reason :: atom) :: :ok | {:error, term}"
  @macrocallback rule(name) :: Macro.t() when name: atom
#> method Bank.Account.rule mods=abstract
  @optional_callbacks changed: 2

  defmodule History do
#> module Bank.Account.History doc="" end=4
    @moduledoc false
    def all, do: []
#> function Bank.Account.History.all
    def inspect(all), do: all
#> function Bank.Account.History.inspect
  end
end

defmodule Bank.Error do
#> module Bank.Error end=7
  defexception message: "out of order", code: nil
#> field Bank.Error.message sig="message: "out of order""
#> field Bank.Error.code

  @impl true
  def exception(code), do: %__MODULE__{code: code}
#> function Bank.Error.exception mods=override deco="impl true" sig="def exception(code)"
  @impl false
  def message(error), do: error.message
#> function Bank.Error.message#2 mods=- deco="impl false"
end

defmodule :bank_nif, do: def(load, do: :ok)
#> module bank_nif sig="defmodule :bank_nif" end=0
#> function bank_nif.load
