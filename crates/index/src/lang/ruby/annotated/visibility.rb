require "set"
#> import - from set -

class Account
#> class Account
  KEY = 1
#> constant Account::KEY vis=private
  OPEN = 2
#> constant Account::OPEN vis=public
  private_constant :KEY

  def pay; end
#> method Account::pay vis=public
  def late; end
#> method Account::late vis=private
  def later; end
#> method Account::later vis=protected
  private :late
  protected "later"

  private def now(a) = a
#> method Account::now vis=private sig="private def now(a)" doc=""
  # Cached.
  private memoize def slow
#> method Account::slow vis=private sig="private memoize def slow" deco=memoize doc="Cached."
  end
  private attr_reader :secret
#> field Account::secret vis=private sig="private attr_reader :secret"
  private_class_method def self.build; end
#> method Account::build vis=private mods=static
  def self.make; end
#> method Account::make vis=private mods=static
  private_class_method :make

  def still; end
#> method Account::still vis=public

  private

  attr_accessor :balance
#> field Account::balance vis=private
  def hidden; end
#> method Account::hidden vis=private
  def self.shown; end
#> method Account::shown vis=public
  CODE = 3
#> constant Account::CODE vis=public
  alias also hidden
#> method Account::also vis=private
  class Inner
#> class Account::Inner vis=public
    def free; end
#> method Account::Inner::free vis=public
  end

  protected # from here on

  def near; end
#> method Account::near vis=protected

  public
  def open; private; end
#> method Account::open vis=private
  def back; end
#> method Account::back vis=public
  private(*%i[open back2])
end

module Tools
#> namespace Tools
  module_function

  def cut(x); end
#> method Tools::cut vis=public mods=static
  public
  def saw(x); end
#> method Tools::saw mods=-
  def drill; end
#> method Tools::drill mods=static
  module_function :drill
end
