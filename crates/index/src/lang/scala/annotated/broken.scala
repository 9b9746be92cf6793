package demo.broken

class Before { def fine = 1 }
//> class Before
//> method Before.fine

object Middle {
//> class Middle
  def good(x: Int) = if (x > 0) 1 else 2
  //> method Middle.good cc=2

  def lost() = { val x = (1 + }
  //> method Middle.lost

  def afterError(a: Int) = a
  //> method Middle.afterError
}

class After {
//> class After
  val ok = 1
  //> field After.ok
  def m = 1
  //> method After.m
}
