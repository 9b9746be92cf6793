-module(broken).

before() -> 1.
%> function before

open(X -> X.
%> function open

list() ->
%> function list
    foo(1, .

after_error(Y) ->
%> function after_error end=1
    Y.

-record(later, {x}).
%> struct later
%> field later:x
