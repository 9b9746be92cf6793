local class = require "middleclass"
--> import class from middleclass -

local Animal = {}
--> class Animal vis=public doc=""
Animal.__index = Animal
--> field Animal.__index vis=public

function Animal.new(name)
--> constructor Animal.new
  local self = setmetatable({}, Animal)
  self.name = name
  return self
end
function Animal:speak() return self.name end
--> method Animal.speak
function Animal:__tostring() return "x" end
--> method Animal.__tostring vis=public

-- A dog.
local Dog = class("Dog", Animal)
--> class Dog vis=public doc="A dog." sig="local Dog = class("Dog", Animal)"
function Dog:initialize(age)
--> method Dog.initialize
  self.age = age
--> field Dog.age
end
Cat = Animal:extend()
--> class Cat vis=public
local Other = pl.class(Base)
--> class Other vis=private
Dog.static.count = 0
--> field Dog.static.count
Driver = {
--> static Driver vis=public
  new = function(self, host) return host end,
--> constructor Driver.new
  connect = function(self) self.socket = 1 end,
--> method Driver.connect
--> field Driver.socket
}

return { Dog = Dog, Animal = Animal, make = function() return Dog end }
--> function make vis=public
