class Before
#> class Before
  def fine; end
#> method Before::fine
  def broken(a, = 1
#> method Before::broken
  end
end

module After
#> namespace After
  def self.found(x)
#> method After::found cc=2
    x if x
  end
  def also; end
#> method After::also
end
}}
def last; end
#> function last
