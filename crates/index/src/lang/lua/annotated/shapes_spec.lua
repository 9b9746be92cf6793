local shapes = require "shapes"
--> import shapes from shapes -

describe("shapes", function()
--> namespace shapes vis=private sig="describe("shapes"" end=14
  local subject
  before_each(function() subject = shapes.new() end)

  it("adds", function()
--> test shapes.adds cc=2 sig="it("adds"" end=2
    if true then assert.equal(2, 1) end
  end)
  context('when empty', function()
--> namespace shapes.when·empty
    it('is zero', function() end)
--> test shapes.when·empty.is·zero
    pending("later", function() end)
--> test shapes.when·empty.later
    local function helper() end
--> function shapes.when·empty.helper
  end)
  it("has no body")
  it(title, function() end)
end)
