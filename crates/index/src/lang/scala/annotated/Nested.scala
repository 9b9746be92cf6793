// A package in braces that holds all there is names the module.
package outer {
  import a.B
  //> import B from a B
  package inner {
    class A
    //> class A
    object B
    //> class B
    def free = 1
    //> function free
  }
}
