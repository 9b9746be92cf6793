# Copyright (c) 2024 Somebody. All rights reserved.

# Far above.

class Alone
#> class Alone doc=""
  # First line
  # goes on. Second.
  # rubocop:disable Metrics
  def documented; end # trailing
#> method Alone::documented doc="First line goes on."
  def undocumented; end
#> method Alone::undocumented doc=""
  # Seen.
  #--
  # Hidden.
  #++
  # Seen too.
  def rdoc; end
#> method Alone::rdoc doc="Seen."
  # Remark to readers only.
  #--
  # Implementation.
  def half; end
#> method Alone::half doc="Remark to readers only."
=begin
A block.
More.
=end
  def block; end
#> method Alone::block doc="A block."

  # With an empty line below.

  def apart; end
#> method Alone::apart doc=""
  x = 1 # about x
  def beside; end
#> method Alone::beside doc=""
  # :nodoc:
  def none; end
#> method Alone::none doc=""
end
