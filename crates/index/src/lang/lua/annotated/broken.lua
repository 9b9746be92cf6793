local M = {}
--> static M
function M.before() end
--> function M.before
function M.broken(
  x = = 1
end

function M.after(x)
--> function M.after cc=2
  if x then return 1 end
end
local function last() end
--> function last
return M
