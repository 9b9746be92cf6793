defmodule App.Imports do
#> module App.Imports
  use GenServer, restart: :temporary
#> import - from GenServer -
  use App.{Web, Schema}
#> import - from App.Web -
#> import - from App.Schema -
  alias App.Accounts
#> import Accounts from App.Accounts -
  alias App.{
    Users,
#> import Users from App.Users -
    Users.Token
#> import Token from App.Users.Token -
  }
  alias App.Mailer, as: Post
#> import Post from App.Mailer -
  alias __MODULE__.Inner
#> import Inner from App.Imports.Inner -
  alias __MODULE__
#> import Imports from App.Imports -
  alias :queue, as: Queue
#> import Queue from :queue -
  import Enum, only: [map: 2, reduce: 3, reduce: 2]
#> import map from Enum map
#> import reduce from Enum reduce
  import Bitwise
#> import * from Bitwise *
  import Kernel, except: [length: 1]
#> import * from Kernel *
  import App.Macros, only: :macros
#> import * from App.Macros *
  import App.Nothing, only: []
#> import - from App.Nothing -
  require Logger
#> import - from Logger -
  require App.Log, as: Log
#> import Log from App.Log -

  def inner do
#> function App.Imports.inner
    import App.Local
#> import * from App.Local *
    alias unquote(computed)
    Logger.info("alias Not.This")
  end
end
