# A test case outside the usual places.
class FooTest < Minitest::Test
#> class FooTest doc="A test case outside the usual places."
  def test_it = assert(true)
#> test FooTest::test_it
  def setup; end
#> method FooTest::setup
  def self.test_data; end
#> method FooTest::test_data mods=static
end
class Plain
#> class Plain
  def test_it; end
#> method Plain::test_it
end
