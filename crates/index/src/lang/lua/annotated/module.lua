--- Shapes.
-- @module shapes

local util = require "shapes.util"
--> import util from shapes.util -
local insert, concat = require("list").insert, table.concat
--> import insert from list insert
--> static concat vis=private sig="local insert, concat = require("list").insert, table.concat"
local json = require('json')
--> import json from json -
require "side.effect"
--> import - from side.effect -
local ok, lfs = pcall(require, "lfs")
--> import - from lfs -
--> static ok vis=private
--> static lfs
dofile("setup.lua")
--> import - from setup.lua -
lpeg = require "lpeg"
--> import lpeg from lpeg -
local deep = require("a.b").c.d
--> import - from a.b c
--> static deep
require(computed)
local M = {}
--> static M vis=public sig="local M = {}" mods=-

--- The version.
M.VERSION = "1.0"
--> constant M.VERSION vis=public sig="M.VERSION = "1.0"" doc="The version." col=3
M.debug = false
--> field M.debug
M.debug = true
M.util = util
--> field M.util
M.json = require "cjson"
--> field M.json
--> import - from cjson -
local LIMIT = 10
--> constant LIMIT vis=private
local fixed <const> = 3
--> constant fixed mods=const sig="local fixed <const> = 3"
local a, b = 1, 2
--> static a
--> static b
counter = 0
--> static counter vis=public
counter = 1
local later
_G.shared = 1
--> static shared

--- Adds two numbers.
-- @param x the first
---@return number
function M.add(x, y)
--> function M.add vis=public cc=1 sig="function M.add(x, y)" doc="Adds two numbers." end=2
  return x + y
end

--[[ Greets
     loudly. ]]
function M:greet(name, ...)
--> method M.greet sig="function M:greet(name, ...)" doc="Greets loudly."
  self.greeted = true
--> field M.greeted vis=public sig="self.greeted = true"
  self.greeted = false
  self._count = (self._count or 0) + 1
--> field M._count vis=private
  self.on_done = function() return self end
--> function M.on_done
  local temporary = 1
  global_inside = 2
end

function M.parts.size(self) return #self end
--> method M.parts.size
function M._hidden() end
--> function M._hidden vis=private
function M.new(options) return setmetatable({}, M) end
--> constructor M.new
M.assigned = function(x) return x and 1 or 2 end
--> function M.assigned cc=3 sig="M.assigned = function(x)"
M.method = function(self, x) self.x = x end
--> method M.method
--> field M.x
M["quoted-name"] = function() end
--> function M.quoted-name
M[computed] = function() end
local function helper() end
--> function helper vis=private sig="local function helper()"
local named = function() end
--> function named vis=private sig="local named = function()"
function global_function() end
--> function global_function vis=public
function later() end
--> function later
call().x = function() end

M.handlers = {
--> field M.handlers sig="M.handlers =" end=10
  -- Opens.
  open = function(path) return path end,
--> function M.handlers.open vis=public sig="open = function(path)" doc="Opens."
  ["close"] = function(self) end,
--> method M.handlers.close
  value = 1,
  [computed] = function() end,
  function() end,
  nested = {
    inner = function() end,
--> function M.handlers.nested.inner
  },
}
local private_table = { f = function() end, 1, 2 }
--> static private_table vis=private sig="local private_table = { f = function() end, 1, 2 }"
--> function private_table.f
setmetatable(M, { __index = function(t, k) return k end })
--> function __index

local function outer()
--> function outer cc=1
  local function inner() if true then end end
--> function outer.inner cc=2 vis=private
  local t = { g = function() end }
--> function outer.t.g
  t.h = function() end
--> function outer.t.h
  function t:m() end
--> method outer.t.m
  require "late"
--> import - from late -
end

return M
