-module(with_eunit).
-ifdef(TEST).
-include_lib("eunit/include/eunit.hrl").
%> import * from eunit/include/eunit.hrl *
-endif.

run() -> ok.
%> function run vis=private

simple_test() -> ?assertEqual(ok, run()).
%> test simple_test vis=public
generated_test_() -> [?_assert(true), {"named", fun() -> ok end}].
%> test generated_test_
needs_test(X) -> X.
%> function needs_test vis=private
