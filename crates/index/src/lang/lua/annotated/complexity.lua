local function none() return 1 end
--> function none cc=1
local function branches(a, b)
--> function branches cc=6
  if a and b then
    return 1
  elseif a or b then
    return 2
  else
    if a then return 3 end
  end
end
local function loops(list)
--> function loops cc=5
  for i = 1, 10 do end
  for k, v in pairs(list) do end
  while true do break end
  repeat until true
end
local function nested()
--> function nested cc=1
  return map(function(x) if x then return x or 1 end end)
end
local function words(x) return not x and x ~= 1 or x == 2 end
--> function words cc=3
