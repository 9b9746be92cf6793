-module(complexity).
-compile(export_all).
-compile([nowarn_export_all]).

plain(X) -> X.
%> function plain cc=1 vis=public

clauses(0) -> zero;
%> function clauses cc=6 end=4
clauses(N) when N > 0, N < 10; N == 100 ->
    small;
clauses(_) ->
    large.

cases(X) ->
%> function cases cc=4
    case X of
        1 -> one;
        N when N > 1 -> many;
        _ -> none
    end.

conditions(X) ->
%> function conditions cc=4
    if
        X > 1, X < 3 -> a;
        X == 7 -> b;
        true -> c
    end.

loops(Xs) ->
%> function loops cc=6
    [{X, Y} || X <- Xs, Y <- X, Y > 1],
    << <<B>> || <<B>> <= Xs >>,
    #{K => V || K := V <- Xs}.

waits() ->
%> function waits cc=3
    receive
        stop -> ok
    after 1000 -> late
    end.

failures(F) ->
%> function failures cc=6
    try F() of
        ok -> fine;
        _ -> other
    catch
        throw:T -> T;
        error:E:_Stack when is_atom(E) -> E
    after
        done
    end,
    (catch F()).

operators(A, B) -> A andalso B orelse not A.
%> function operators cc=3

maybe_block(X) ->
%> function maybe_block cc=2
    maybe
        {ok, Y} ?= X,
        Y
    else
        error -> 1;
        _ -> 2
    end.

lambdas(Xs) ->
%> function lambdas cc=1
    lists:map(fun(1) -> a; (X) when X > 1 -> b end, Xs),
%> function lambdas:<lambda1> cc=3 sig="fun(1)"
    Named = fun(X) -> X orelse Xs end,
%> function lambdas:Named vis=private cc=2 sig="Named = fun(X)"
    Again = fun Loop(0) -> 0; Loop(N) -> Loop(N - 1) end,
%> function lambdas:Again cc=2
    lists:foreach(fun Count(0) -> 0; Count(N) -> Count(N - 1) end, Xs),
%> function lambdas:Count cc=2
    {fun plain/1, fun lists:map/2, Named, Again}.

again(a) -> fun() -> 1 end;
%> function again cc=2
%> function again:<lambda1>
again(b) -> fun() -> 2 end.
%> function again:<lambda2>
