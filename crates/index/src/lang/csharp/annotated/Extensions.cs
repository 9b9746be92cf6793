namespace Demo.Text;

public static class StringExtensions
//> class StringExtensions
{
    /// <summary>Says it <b>loudly</b>: see <see cref="String.ToUpper()"/>, if <paramref name="text"/> &lt; 3.</summary>
    public static string Shout(this string text) => text.ToUpper();
    //> method StringExtensions.Shout vis=public mods=static cc=1 sig="public static string Shout(this string text)" doc="Says it loudly: see String.ToUpper(), if text < 3."

    extension(string text)
    {
        public bool IsBlank => text.Length == 0;
        //> field StringExtensions.IsBlank vis=public mods=property sig="public bool IsBlank"
        public string Twice()
        //> method StringExtensions.Twice vis=public cc=2 end=4
        {
            if (text == null) return "";
            return text + text;
        }
    }

    extension<T>(IEnumerable<T> all) where T : class
    {
        public static IEnumerable<T> operator +(IEnumerable<T> a, IEnumerable<T> b) => a;
        //> method StringExtensions.operator+ vis=public mods=static
    }

    private static int count;
    //> field StringExtensions.count vis=private mods=static
}
