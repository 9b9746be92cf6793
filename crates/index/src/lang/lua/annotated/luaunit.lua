--> file: tests/luaunit.lua
TestShapes = {}
--> static TestShapes
function TestShapes:setUp() end
--> method TestShapes.setUp
function TestShapes:testArea() end
--> test TestShapes.testArea
function test_global() end
--> test test_global
local function test_helper() end
--> function test_helper
