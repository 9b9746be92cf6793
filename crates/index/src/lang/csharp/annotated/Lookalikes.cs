namespace Demo.Lookalikes;

// class NotThis { void Neither() { } }
/* interface NorThis { } */
class Words
//> class Words
{
    string a = "class Fake { void F() { } }";
    //> field Words.a
    string b = @"
    //> field Words.b end=2
class Fake { }
""quoted"" \";
    string c = $"{a} class Fake {{ {(b == null ? "x" : "y")} }}";
    //> field Words.c
    string d = """
    //> field Words.d end=4
        class Fake { int "x"; }

        namespace Nothing;
        """;
    char quote = '"', other = '\'';
    //> field Words.quote
    //> field Words.other

    // Words that mean something elsewhere.
    int record, value, get, set, from, where, select, partial, async, await, nameof, when, var, yield, global;
    //> field Words.record
    //> field Words.value
    //> field Words.get
    //> field Words.set
    //> field Words.from
    //> field Words.where
    //> field Words.select
    //> field Words.partial
    //> field Words.async
    //> field Words.await
    //> field Words.nameof
    //> field Words.when
    //> field Words.var
    //> field Words.yield
    //> field Words.global

    //// Four slashes are no documentation.
    void extension() { }
    //> method Words.extension doc=""

    bool test(int file) => file is 1;
    //> method Words.test
    void operatorOf(int get) { get = nameof(Words).Length; }
    //> method Words.operatorOf

    int Anonymous() { var o = new { Name = 1, Value = 2 }; return o.Name; }
    //> method Words.Anonymous cc=1
    Words Initialiser() => new Words { a = "x", record = 1 };
    //> method Words.Initialiser cc=1
    object With(Point p) => p with { X = 1 };
    //> method Words.With
    int[] Collection => [1, 2, .. record > 0 ? table : other];
    //> field Words.Collection
}
