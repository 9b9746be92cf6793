class Store
#> class Store
  class << self
    # Opens it.
    def open(path) = new(path)
#> method Store::open mods=static vis=public doc="Opens it."
    attr_accessor :root
#> field Store::root mods=static,property
    alias load open
#> method Store::load mods=static sig="alias load open"
    DEFAULT = 1
#> constant Store::DEFAULT

    private

    def check; end
#> method Store::check mods=static vis=private
  end

  def self.find(id)
#> method Store::find mods=static sig="def self.find(id)" cc=2
    @found ||= id
#> field Store::@found mods=static
    id ? new(id) : nil
  end
  def Store.named(name); end
#> method Store::named mods=static
  def Other.named(name); end
#> method Store::Other::named mods=static
  def self.==(other) = true
#> method Store::== mods=static

  def after; end
#> method Store::after mods=- vis=public
end

object = Object.new
def object.greet = puts("hi")
#> method object::greet mods=static sig="def object.greet"
class << object
  def part; end
#> method object::part mods=static
end
def (object.other).x; end
#> function x mods=- sig="def (object.other).x"
def self.main; end
#> function main mods=- vis=public
def helper(a, b)
#> function helper vis=public sig="def helper(a, b)" end=2
  def inner; end
#> function helper::inner
end

String.class_eval do
  def shout = upcase
#> method String::shout mods=-
end
module Loud
#> namespace Loud
  refine ::Foo::Bar do
    def shout; end
#> method Loud::Foo::Bar::shout
    private

    def secret; end
#> method Loud::Foo::Bar::secret vis=private
  end
  included do
    private
    scope :all, -> { where(x: 1) }
    def hidden; end
#> method Loud::hidden vis=private
    class_attribute :level
#> field Loud::level mods=static,property
  end
  class_methods do
    def made; end
#> method Loud::made mods=static vis=public
  end
  def seen; end
#> method Loud::seen vis=public mods=-
end
