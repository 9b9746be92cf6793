using System;
//> import * from System *

namespace Demo.Broken
{
    class Before { void Fine() { } }
    //> class Before
    //> method Before.Fine

    class Middle
    //> class Middle
    {
        void Good() { if (true) { } }
        //> method Middle.Good cc=2

        void Bad( {
        //> method Middle.Bad

        int x = = 3;

        public void AfterError(int a) { }
        //> method Middle.AfterError vis=public
    }

    class After
    //> class After
    {
        int ok;
        //> field After.ok
        void M() { }
        //> method After.M
    }
}
