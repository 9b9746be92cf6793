%%%-------------------------------------------------------------------
%%% @author Nobody
%%% @doc Accounts with a balance.
%%% They are kept in memory.
%%% @end
%%%-------------------------------------------------------------------
-module(bank_account).

-behaviour(gen_server).

-export([open/1, open/2, close/1]).
-export([init/1]).
-export_type([account/0, pair/1]).

-include("bank.hrl").
%> import * from bank.hrl *
-include_lib("kernel/include/file.hrl").
%> import * from kernel/include/file.hrl *
-import(lists, [map/2, foldl/3, map/3]).
%> import map from lists map
%> import foldl from lists foldl
-import(maps, [
    get/2,
%> import get from maps get
    put/3
%> import put from maps put
]).

-define(TIMEOUT, 5000).
%> macro TIMEOUT vis=private cc=1 sig="-define(TIMEOUT, 5000)" col=9
-define(LOG(Format, Args), io:format(Format, Args)).
%> macro LOG vis=private sig="LOG(Format, Args)"
-define(CHOOSE(X), case X of 1 -> a; _ -> b end).
%> macro CHOOSE cc=2

%% What the server remembers.
-record(state, {
%> struct state vis=private end=4 doc="What the server remembers." sig="-record(state, { name :: atom(), balance = 0 :: integer(), other})"
    name :: atom(),
%> field state:name sig="name :: atom()" vis=public
    %% What is left.
    balance = 0 :: integer(),
%> field state:balance sig="balance = 0 :: integer()" doc="What is left."
    other}).
%> field state:other sig="other" end=0

-type account() :: #state{} | undefined.
%> type_alias account vis=public sig="-type account() :: #state{} | undefined"
-type pair(A) :: {A, A}.
%> type_alias pair vis=public
-type pair() :: pair(any()).
%> type_alias pair#2 vis=private
-opaque secret() :: binary().
%> type_alias secret vis=private sig="-opaque secret() :: binary()"
-type(old_style() :: maybe(atom())).
%> type_alias old_style

-callback changed(Account :: account()) -> ok | {error, term()}.
%> method changed vis=public mods=abstract sig="-callback changed(Account :: account()) -> ok | {error, term()}" col=11

%%====================================================================
%% API
%%====================================================================

%% @doc Opens an account.
%% It is empty.
%% @see close/1
-spec open(atom()) -> account().
open(Name) -> open(Name, 0).
%> function open vis=public cc=1 end=0 sig="open(Name)" doc="Opens an account." deco="spec open(atom()) -> account()" col=1

-spec open(atom(), integer()) -> account();
          (string(), integer()) -> account().
%% Opens an account with money in it.
open(Name, Money) when is_atom(Name), Money >= 0 ->
%> function open#2 vis=public cc=4 end=4 sig="open(Name, Money) when is_atom(Name), Money >= 0" doc="Opens an account with money in it." deco="spec open(atom(), integer()) -> account(); (string(), integer()) -> account()"
    #state{name = Name, balance = Money};

open(Name, Money) ->
    open(list_to_atom(Name), Money).

%%--------------------------------------------------------------------
%% @private
%% @doc
%% Begins. Is called once.
%% @end
%%--------------------------------------------------------------------
init([]) ->
%> function init vis=public cc=1 doc="Begins." end=1
    {ok, #state{}}.

-doc "Closes an account.".
-doc #{since => "2.0"}.
close(_) -> ok.
%> function close vis=public doc="Closes an account."

% One sign is a remark, not documentation.
helper(X) -> X. %% nor is what stands behind code
%> function helper vis=private doc=""
next(X) -> X.
%> function next vis=private doc=""

-ifdef(SLOW).
delay() -> 1000.
%> function delay cc=1 end=0
-else.
delay() -> 1.
%> function delay#2 cc=1 end=0
-endif.

'quoted name'() -> ok.
%> function quoted·name vis=private sig="'quoted name'()"
?GENERATED(X) -> X.
%> function ?GENERATED
