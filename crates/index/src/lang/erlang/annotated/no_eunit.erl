-module(no_eunit).
is_test() -> false.
%> function is_test vis=private
