package demo.classes;

import java.io.IOException;
//> import IOException from java.io IOException
import java.io.Serializable;
//> import Serializable from java.io Serializable
import java.util.List;
//> import List from java.util List

/**
 * A class with all kinds of members. The second sentence stays out.
 *
 * @author nobody
 */
@SuppressWarnings({"unused", "unchecked"})
@Deprecated(since = "1.2", forRemoval = false)
public abstract class Classes extends Object implements Serializable, Cloneable {
//> class Classes vis=public mods=abstract col=23 end=118 deco="SuppressWarnings({"unused", "unchecked"})" deco="Deprecated(since = "1.2", forRemoval = false)" sig="public abstract class Classes extends Object implements Serializable, Cloneable" doc="A class with all kinds of members."

    private static final long serialVersionUID = 1L;
//> constant Classes.serialVersionUID vis=private mods=static,final col=31 end=0 sig="private static final long serialVersionUID = 1L"

    /** How many there are. */
    public static int count;
//> field Classes.count vis=public mods=static sig="public static int count" doc="How many there are."

    protected final String name;
//> field Classes.name vis=protected mods=final sig="protected final String name"

    // A line comment is no doc.
    transient volatile int cached = 3;
//> field Classes.cached vis=internal mods=transient,volatile sig="transient volatile int cached = 3" doc=""

    private int a, b = 2, c[];
//> field Classes.a vis=private col=17
//> field Classes.b vis=private col=20
//> field Classes.c vis=private col=27

    final static int[] TABLE = {
//> constant Classes.TABLE vis=internal mods=static,final end=2
        1, 2, 3,
    };

    static {
        count = TABLE.length > 2 ? 1 : 0;
    }

    {
        cached = 4;
        class InInitialiser {
//> class Classes.InInitialiser
            int x;
//> field Classes.InInitialiser.x
        }
    }

    /** Makes one. */
    public Classes(String name) {
//> constructor Classes.Classes vis=public cc=1 mods=- col=12 end=2 sig="public Classes(String name)" doc="Makes one."
        this.name = name;
    }

    protected Classes() throws IOException {
//> constructor Classes.Classes#2 vis=protected cc=1 sig="protected Classes() throws IOException"
        this("none");
    }

    private <T extends Number> Classes(T number) { this(number.toString()); }
//> constructor Classes.Classes#3 vis=private cc=1 sig="private <T extends Number> Classes(T number)"

    /* Not a doc comment. */
    public abstract int size();
//> method Classes.size vis=public mods=abstract end=0 sig="public abstract int size()" doc=""

    /**
     * Says who it is,
     * politely.
     * @return the name
     */
    @Override
    public String toString() {
//> method Classes.toString vis=public cc=1 end=2 deco="Override" sig="public String toString()" doc="Says who it is, politely."
        return name;
    }

    protected final synchronized void lock() {}
//> method Classes.lock vis=protected cc=1 mods=final,synchronized sig="protected final synchronized void lock()"

    static native int fast(int n);
//> method Classes.fast vis=internal mods=static,native sig="static native int fast(int n)"

    static synchronized strictfp double slow() { return 0; }
//> method Classes.slow vis=internal mods=static,synchronized,strictfp cc=1

    void add(int n) { count += n; }
//> method Classes.add vis=internal cc=1 mods=- sig="void add(int n)"

    void add(int... all) {
//> method Classes.add#2 vis=internal cc=2 sig="void add(int... all)"
        for (int n : all) add(n);
    }

    private void add(String s, List<? super Integer> into) throws IOException, IllegalStateException {
//> method Classes.add#3 vis=private cc=1 sig="private void add(String s, List<? super Integer> into) throws IOException, IllegalStateException"
        into.add(s.length());
    }

    public static void main(final String[] args) {
//> method Classes.main vis=public mods=static cc=1 sig="public static void main(final String[] args)"
        count = args.length;
    }

    public
    static
    int
    spread(
//> method Classes.spread vis=public mods=static cc=1 col=5 end=6 sig="public static int spread(int first, int second)"
        int first,
        int second
    )
    {
        return first + second;
    }

    /** Stands by itself. */
    public static class Nested {
//> class Classes.Nested vis=public mods=static end=7 sig="public static class Nested" doc="Stands by itself."
        int depth;
//> field Classes.Nested.depth vis=internal
        Nested() {}
//> constructor Classes.Nested.Nested vis=internal cc=1 sig="Nested()"

        static class Deeper {
//> class Classes.Nested.Deeper vis=internal mods=static
            void dig() {}
//> method Classes.Nested.Deeper.dig vis=internal cc=1
        }
    }

    private final class Inner {
//> class Classes.Inner vis=private mods=final sig="private final class Inner"
        private Inner() {}
//> constructor Classes.Inner.Inner vis=private cc=1
        String outerName() { return Classes.this.name; }
//> method Classes.Inner.outerName vis=internal cc=1
    }

    protected interface Callback {
//> interface Classes.Callback vis=protected sig="protected interface Callback"
        void done(int code);
//> method Classes.Callback.done vis=public sig="void done(int code)"
    }

    enum Level { LOW, HIGH }
//> enum Classes.Level vis=internal
//> enum_member Classes.Level.LOW vis=public
//> enum_member Classes.Level.HIGH vis=public

    void withLocals() {
//> method Classes.withLocals vis=internal cc=2 end=12
        int local = 1;
        final String text = "class Fake { void f() {} }";
        class Local extends Nested {
//> class Classes.withLocals.Local
            int field;
//> field Classes.withLocals.Local.field
            Local() { field = 1; }
//> constructor Classes.withLocals.Local.Local cc=1
            void go() { if (field > 0) field--; }
//> method Classes.withLocals.Local.go cc=2
        }
        record Pair(int left, int right) {}
//> class Classes.withLocals.Pair mods=record
//> field Classes.withLocals.Pair.left
//> field Classes.withLocals.Pair.right
        enum Way { IN, OUT }
//> enum Classes.withLocals.Way
//> enum_member Classes.withLocals.Way.IN
//> enum_member Classes.withLocals.Way.OUT
        interface Port { int number(); }
//> interface Classes.withLocals.Port
//> method Classes.withLocals.Port.number
        if (local > 0) new Local().go();
    }
}

class Second extends Classes {
//> class Second vis=internal mods=- sig="class Second extends Classes"
    Second() { super("second"); }
//> constructor Second.Second vis=internal cc=1
    @Override public int size() { return 2; }
//> method Second.size vis=public cc=1 deco="Override" sig="public int size()"
}

final class Third {}
//> class Third vis=internal mods=final end=0 sig="final class Third"
