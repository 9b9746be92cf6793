# class NotAClass; def not_a_method; end; end
=begin
def not_a_method_either
end
#
# class Nor
=end

TEXT = <<~RUBY
#> constant TEXT sig="TEXT = <<~RUBY"
  class Fake
    def fake; end

    # not a comment
    #{1 + 1}
  end
RUBY
other = "def x; end" + 'class Y; end'
quoted = %q(module Z; end) + %Q{def q; end}
pattern = /def (\w+)
  class # not a comment/x
symbol = :def
hash = { class: 1, def: 2, "module": 3, if: 4 }
object.class.def
object.define_method(:no) { 1 }
puts <<-ONE, <<-'TWO'
def one
ONE
class Two
TWO

class Klass
#> class Klass end=16
  attr_list = [:a]
  attr_reader :class, :end
#> field Klass::class
#> field Klass::end
  def if; end
#> method Klass::if
  def self.def; end
#> method Klass::def mods=static
  def end_of = self.class
#> method Klass::end_of
  def private_thing; private = 1; end
#> method Klass::private_thing vis=public
  def public; end
#> method Klass::public vis=public
  def character = ?d
#> method Klass::character
  def percent(a) = a %d
#> method Klass::percent
  klass = self
  test "not in a test file" do
    1
  end
  it "neither" do; end
  def été = 1
#> method Klass::été
end
puts DATA.read
__END__
def not_here
end
# no comment

class Nor
