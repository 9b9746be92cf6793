extern alias Old;
//> import Old from Old -
global using System.Linq;
//> import * from System.Linq *
using static System.Math;
//> import * from System.Math *
using Json = Newtonsoft.Json.Linq.JObject;
//> import Json from Newtonsoft.Json.Linq JObject
using Map = System.Collections.Generic.Dictionary<string, System.Int32>;
//> import Map from System.Collections.Generic Dictionary<string,System.Int32>
using Short = Plain;
//> import Short from - Plain
using Pair = (int Left, int Right);
//> import Pair from - (intLeft,intRight)
using global::System.IO;
//> import * from System.IO *

[assembly: System.Reflection.AssemblyVersion("1.0")]

namespace First.Part
//> namespace First.Part vis=public sig="namespace First.Part" end=10
{
    using System.Text;
    //> import * from System.Text *

    class A { }
    //> class First.Part.A vis=internal

    namespace Inner
    //> namespace First.Part.Inner
    {
        public class B { void M() { } }
        //> class First.Part.Inner.B vis=public
        //> method First.Part.Inner.B.M vis=private cc=1
    }
}

namespace Second
//> namespace Second
{
    class A { }
    //> class Second.A
}

class Global { int x; }
//> class Global vis=internal
//> field Global.x vis=private
