%> file: test/bank_SUITE.erl
-module(bank_SUITE).
-include_lib("common_test/include/ct.hrl").
%> import * from common_test/include/ct.hrl *
-export([all/0, groups/0, init_per_suite/1, opens/1, closes/1, helper/1]).

all() -> [opens, {group, slow}].
%> function all vis=public
groups() -> [{slow, [parallel], [closes]}].
%> function groups
init_per_suite(Config) -> Config.
%> function init_per_suite
opens(_Config) -> ok.
%> test opens vis=public cc=1
closes(_Config) -> ok.
%> test closes
helper(X) -> X.
%> function helper vis=public
opens() -> no_case.
%> function opens#2 vis=private
