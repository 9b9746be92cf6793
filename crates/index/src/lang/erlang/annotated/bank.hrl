%% Limits.
-define(LIMIT, 1000).
%> macro LIMIT vis=public doc="Limits."
-record(customer, {id, name = "nobody"}).
%> struct customer vis=public sig="-record(customer, {id, name = "nobody"})"
%> field customer:id
%> field customer:name sig="name = "nobody""
-record('Odd-Name', {'Field-1'}).
%> struct Odd-Name
%> field Odd-Name:Field-1
-type money() :: integer().
%> type_alias money vis=public
shared(X) -> #customer{id = X, name = undefined}.
%> function shared vis=public
