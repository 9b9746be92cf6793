# Forms in which a call defines something.

Point = Struct.new(:x, :y) do
#> class Point sig="Point = Struct.new(:x, :y)" end=3
#> field Point::x mods=property sig=":x" vis=public
#> field Point::y
  def length = Math.sqrt(x)
#> method Point::length vis=public
  private def hidden; end
#> method Point::hidden vis=private
end
Pair = Struct.new("Pair", :left, keyword_init: true)
#> class Pair sig="Pair = Struct.new("Pair", :left, keyword_init: true)"
#> field Pair::left
Money = Data.define(:amount)
#> class Money
#> field Money::amount mods=readonly,property
# Something went wrong.
Failure = Class.new(StandardError)
#> class Failure sig="Failure = Class.new(StandardError)" doc="Something went wrong."
Mixin = Module.new { def mixed; end }
#> namespace Mixin
#> method Mixin::mixed
class Vector < Struct.new(:dx, :dy)
#> class Vector sig="class Vector < Struct.new(:dx, :dy)"
#> field Vector::dx
#> field Vector::dy
  Unit = ::Class.new(self) do
#> class Vector::Unit
    def one; end
#> method Vector::Unit::one
  end
end

class Dynamic
#> class Dynamic
  # Says hello.
  define_method(:hello) do |name|
#> method Dynamic::hello sig="define_method(:hello)" cc=2 doc="Says hello." end=2
    name if name
  end
  define_method :bye, instance_method(:hello)
#> method Dynamic::bye sig="define_method :bye, instance_method(:hello)"
  define_singleton_method("made") { |x| x }
#> method Dynamic::made mods=static
  %w[a b].each do |letter|
    define_method("get_#{letter}") { @letter && 1 }
    X = 1
#> constant Dynamic::X
  end
  alias_method :hi, :hello
#> method Dynamic::hi sig="alias_method :hi, :hello"
  alias :"good bye" :bye
#> method Dynamic::good·bye
  alias == eql?
#> method Dynamic::==
  alias_method made_up, :hello
  delegate :size, to: :list

  sig { params(x: Integer).returns(String) }
  # After the signature.
  def typed(x) = x.to_s
#> method Dynamic::typed deco="sig { params(x: Integer).returns(String) }" doc="" sig="def typed(x)"
  # Before the signature.
  sig { void }
  def typed2; end
#> method Dynamic::typed2 doc="Before the signature."
end

SQUARE = ->(x) { x * x }
#> function SQUARE sig="SQUARE = ->(x)" cc=1
GUARD = lambda do |x|
#> function GUARD sig="GUARD = lambda" cc=2 end=2
  x || 1
end
twice = proc { |x| x + x }
#> function twice vis=private sig="twice = proc"
once = -> { 1 }
#> function once vis=private
plain = 1
$verbose = plain
#> static $verbose vis=public sig="$verbose = plain"
$verbose = 2
$stdout = StringIO.new
$0 = "name"
alias $loud $verbose
#> static $loud sig="alias $loud $verbose"
anonymous = Class.new do
  def nameless; end
#> method <class1>::nameless
end
numbers.map { |n| n.even? ? 1 : 2 }
