-- function commented() end
--[[
function in_block() end

]]
--[==[ function in_long() end ]==]
local text = "function quoted() end"
--> static text
local long = [[
--> static long
function in_long_string() end

-- not a comment
]]
local equals = [==[ ]] function no() end ]==]
--> static equals
local functions = { ["function"] = 1 }
--> static functions
local end_of = function() return "end" end
--> function end_of
goto continue
::continue::
local requires = require_all "no"
--> static requires
object.require("no")
object:require("nor")
describe("not in a test file", function() it("is", function() end) end)
local s = 'it\'s -- not a comment'
--> static s
function grüße() end
--> function grüße
