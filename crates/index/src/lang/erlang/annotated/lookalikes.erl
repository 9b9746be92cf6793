-module(lookalikes).
-moduledoc """
f(X) -> looks like a function.
""".

%% g(X) -> X.
strings() -> "h() -> 1.", <<"-record(no, {x}).">>.
%> function strings doc="g(X) -> X."
chars() -> [$", $%, $'].
%> function chars
'when'() -> 'case'.
%> function when
record_use(R) -> R#state{name = 1, 'fun' = 2}.
%> function record_use
macro_use() -> ?define(x), ?MODULE.
%> function macro_use
long_text() ->
%> function long_text end=4
    "first

     % no comment
     last() -> 1.".
type_like() -> maybe(1).
%> function type_like
maybe(X) -> X.
%> function maybe
