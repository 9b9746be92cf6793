package demo.lookalikes;

// class Commented { void f() {} }

/*
class AlsoCommented {
    int x;
}
*/

/**
 * Holds text that looks like code.
 * <pre>
 * class InDoc { void g() {} }
 * </pre>
 */
class Lookalikes {
//> class Lookalikes vis=internal end=26 doc="Holds text that looks like code."
    String text = "class InString { int y; }";
//> field Lookalikes.text sig="String text = "class InString { int y; }""

    static final String BLOCK = """
//> constant Lookalikes.BLOCK mods=static,final end=5
        public class InBlock {
            void h() { }
            int z = "quoted \""" still";
        }
        """;

    char brace = '{', quote = '"', back = '\\';
//> field Lookalikes.brace col=10
//> field Lookalikes.quote col=23
//> field Lookalikes.back col=36

    // void notThere() {}
    void there() { /* } void fake() { */ }
//> method Lookalikes.there cc=1 end=0 sig="void there()"

    /* before */ int /* type */ between /* name */;
//> field Lookalikes.between col=33

    int größe(int straße) { return straße; }
//> method Lookalikes.größe vis=internal cc=1 col=9 sig="int größe(int straße)"

    static final double π = 3.14, Δ = 0.1;
//> constant Lookalikes.π col=25
//> constant Lookalikes.Δ col=35

    int $dollar, _under, record, sealed;
//> field Lookalikes.$dollar
//> field Lookalikes._under
//> field Lookalikes.record
//> field Lookalikes.sealed

    void record(int with) { int var = with; }
//> method Lookalikes.record#2 cc=1

    class Café { String é = "é"; int after; }
//> class Lookalikes.Café col=11
//> field Lookalikes.Café.é col=25
//> field Lookalikes.Café.after col=38
}
;
