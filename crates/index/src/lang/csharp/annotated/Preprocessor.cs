#define EXTRA
#pragma warning disable CS1591
#nullable enable
#if EXTRA
using System.Extra;
//> import * from System.Extra *
#endif

#if !SILVERLIGHT
namespace Demo.Conditions
{
    #region Types of Bob's

    public class Sized
    //> class Sized vis=public sig="public class Sized"
#if NET45
        : BaseForNew
#else
        : Base
#endif
    {
#if NET45
        public int New() { return 1; }
        //> method Sized.New
#elif NET40
        public int Old() { return 2; }
        //> method Sized.Old
#else
        public int Oldest() { return 3; }
        //> method Sized.Oldest
#endif

        public void Broken(int a
        //> method Sized.Broken cc=3 sig="public void Broken(int a" end=17
#if NET45
            , int b
#endif
            )
        {
            try
            {
                if (a > 0) return;
            }
#if DEBUG
            catch { }
#endif
            finally
            {
                a = 1;
            }
        }

#if X
        [Obsolete]
#endif
        public void After() { }
        //> method Sized.After vis=public deco="Obsolete"

        string text = @"
        //> field Sized.text
#if nothing
";
    }

    #endregion

    enum Color
    //> enum Color
    {
        Red,
        //> enum_member Color.Red
#if MORE
        Green,
        //> enum_member Color.Green
#endif
        Blue,
        //> enum_member Color.Blue
    }
}
#endif
