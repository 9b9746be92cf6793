// The same namespace twice is one module.
namespace Demo . Twice
{
    class A { }
    //> class A
}

namespace Demo.Twice
{
    class B { }
    //> class B
}
