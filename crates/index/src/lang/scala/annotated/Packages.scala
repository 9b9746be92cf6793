package demo

package object tools extends Aliases {
//> namespace tools sig="package object tools extends Aliases"
  val version = 1
  //> constant tools.version
  type Name = String
  //> type_alias tools.Name
  def run(): Unit = ()
  //> function tools.run
}

package inner.deep {
//> namespace inner.deep sig="package inner.deep"
  class A { def m = 1 }
  //> class inner.deep.A
  //> method inner.deep.A.m
}

package other {
//> namespace other
  class A
  //> class other.A
}
