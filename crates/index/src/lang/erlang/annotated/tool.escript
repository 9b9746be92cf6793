#!/usr/bin/env escript
%% -*- erlang -*-
%%! -smp enable
main([Name]) ->
%> function main vis=public cc=2 end=3 doc=""
    io:format("~s~n", [Name]);
main(_) ->
    usage().

usage() -> halt(1).
%> function usage vis=public
