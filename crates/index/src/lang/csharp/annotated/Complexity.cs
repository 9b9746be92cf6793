using System.Linq;
//> import * from System.Linq *

namespace Demo;

class Complexity
//> class Complexity
{
    int Straight(int a) { return a; }
    //> method Complexity.Straight cc=1

    string Chain(int a)
    //> method Complexity.Chain cc=4
    {
        if (a > 10) return "big";
        else if (a > 5) return "middle";
        else if (a > 1) { return "small"; }
        else return "tiny";
    }

    int Loops(int[] all)
    //> method Complexity.Loops cc=5
    {
        int n = 0;
        for (int i = 0; i < all.Length; i++) n += i;
        foreach (var x in all) n += x;
        while (n > 100) n /= 2;
        do { n--; } while (n > 10);
        return n;
    }

    bool Operators(bool a, bool b, bool c) => a && b || !c && a;
    //> method Complexity.Operators cc=4

    bool Bits(bool a, bool b) => a & b | a ^ b;
    //> method Complexity.Bits cc=1

    object Nulls(object a, string b) => a?.ToString() ?? b ?? throw new System.Exception();
    //> method Complexity.Nulls cc=1

    int Ternaries(int a) => a > 0 ? 1 : a < 0 ? -1 : 0;
    //> method Complexity.Ternaries cc=3

    string Switch(object o)
    //> method Complexity.Switch cc=6
    {
        switch (o)
        {
            case 1:
            case 2:
                return "few";
            case string s when s.Length > 3:
                return s;
            case Point { X: 0 }:
                goto default;
            default:
                return "many";
        }
    }

    int Expression(object o) => o switch
    //> method Complexity.Expression cc=6
    {
        1 or 2 => 1,
        int n when n > 10 => n,
        null => 0,
        _ => -1,
    };

    bool Patterns(object o) => o is > 0 and < 10 or not null;
    //> method Complexity.Patterns cc=3

    int Guarded(object o) => o switch
    //> method Complexity.Guarded cc=3
    {
        string => 1,
        _ when o != null => 2,
        _ => 3,
    };

    void Catches()
    //> method Complexity.Catches cc=4
    {
        try { Straight(1); }
        catch (System.IO.IOException e) when (e.Message != null) { }
        catch { }
        finally { }
        using (var file = Open()) { }
        lock (this) { }
        checked { }
    }

    object Query(int[] all) =>
    //> method Complexity.Query cc=4
        from a in all
        join b in all on a equals b
        where a > 3
        let c = a
        orderby c descending
        select new { a, c };

    object Lambdas(int[] all) => all.Where(a => a > 3 && a < 9).Select(delegate(int a) { return a > 1 ? a : 0; });
    //> method Complexity.Lambdas cc=1
    //> function Complexity.Lambdas.<lambda1> cc=2
    //> function Complexity.Lambdas.<lambda2> cc=2

    int Conditions(int a)
    //> method Complexity.Conditions cc=3
    {
#if DEBUG && (TRACE || TEST)
        if (a > 0)
#else
        if (a > 1)
#endif
        {
            a--;
        }
#if DEBUG
        if (a == 0) a = 1;
#endif
        return a;
    }
}
