class Complexity
#> class Complexity
  def none = 1
#> method Complexity::none cc=1
  def branches(a, b)
#> method Complexity::branches cc=7
    if a && b
      1
    elsif a || b
      2
    else
      3
    end
    return 4 unless a
    a ? b : 0
  end
  def loops(list)
#> method Complexity::loops cc=6
    for x in list do p x end
    while list.any? do list.pop end
    until list.empty? do list.pop end
    list.pop while list.any?
    begin; list.pop; end until list.empty?
    loop { break }
  end
  def cases(x)
#> method Complexity::cases cc=4
    case x
    when 1, 2 then :few
    when 3
      :three
    when ->(n) { n > 4 && n < 9 } then :many
    else :none
    end
  end
  def patterns(x)
#> method Complexity::patterns cc=5
    case x
    in [Integer => a, *] if a > 1 then a
    in {name: String} unless x.empty? then 2
    in _ then 3
    end
  end
  def rescues
#> method Complexity::rescues cc=4
    work
  rescue TypeError, ArgumentError => e
    1
  rescue StandardError
    2
  else
    3
  ensure
    x = other rescue nil
  end
  def words(a, b)
#> method Complexity::words cc=5
    a and b or return
    a if b
    raise "x" unless a
  end
  def blocks(list)
#> method Complexity::blocks cc=4
    list.each do |x|
      next if x.nil?
      x.map { |y| y || x }
    end
    list&.first
    @a ||= 1
#> field Complexity::@a
    "#{list.any? ? 1 : 2}"
  end
  def nested
#> method Complexity::nested cc=1
    work = lambda { |x| x if x }
#> function Complexity::nested::work cc=2
    Class.new { def inside(x) = x || 1 }
#> method Complexity::nested::<class1>::inside cc=2
  end
end
