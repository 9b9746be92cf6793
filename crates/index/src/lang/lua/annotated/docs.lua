---------------------------------
-- Framed text.
-- Goes on.
---------------------------------
function framed() end
--> function framed doc="Framed text."
-- First. Second.
local function documented() end -- trailing
--> function documented doc="First."
local function undocumented() end
--> function undocumented doc=""
-- Far above.

local function apart() end
--> function apart doc=""
--[[--
Long form.
--]]
function long_form() end
--> function long_form doc="Long form."
---@param x number
---@return string
function annotated(x) end
--> function annotated doc="@param x number @return string"
--- Kept.
-- luacheck: ignore
function kept() end
--> function kept doc="Kept."
