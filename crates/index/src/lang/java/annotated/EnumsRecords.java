package demo.enums;

import java.util.Objects;
//> import Objects from java.util Objects

/** The days that matter. */
public enum EnumsRecords implements Runnable {
//> enum EnumsRecords vis=public mods=- col=13 end=44 sig="public enum EnumsRecords implements Runnable" doc="The days that matter."
    /** The first. */
    MONDAY,
//> enum_member EnumsRecords.MONDAY vis=public col=5 doc="The first."
    @Deprecated
    TUESDAY("tu", 2),
//> enum_member EnumsRecords.TUESDAY vis=public deco="Deprecated"
    SUNDAY("su", 7) {
//> enum_member EnumsRecords.SUNDAY vis=public end=7
        private int naps = 2;
//> field EnumsRecords.SUNDAY.naps vis=private

        @Override
        boolean free() {
//> method EnumsRecords.SUNDAY.free vis=internal cc=2 deco="Override" sig="boolean free()"
            return naps > 0 || super.free();
        }
    };

    static final int LENGTH = 3;
//> constant EnumsRecords.LENGTH vis=internal mods=static,final

    private final String code;
//> field EnumsRecords.code vis=private mods=final
    final int number;
//> field EnumsRecords.number vis=internal mods=final

    EnumsRecords() { this("mo", 1); }
//> constructor EnumsRecords.EnumsRecords cc=1 sig="EnumsRecords()"

    private EnumsRecords(String code, int number) {
//> constructor EnumsRecords.EnumsRecords#2 vis=private cc=1 sig="private EnumsRecords(String code, int number)"
        this.code = code;
        this.number = number;
    }

    boolean free() { return false; }
//> method EnumsRecords.free vis=internal cc=1

    public void run() {}
//> method EnumsRecords.run vis=public cc=1

    enum Operator {
//> enum EnumsRecords.Operator vis=internal
        ADD { int apply(int a, int b) { return a + b; } },
//> enum_member EnumsRecords.Operator.ADD vis=public
//> method EnumsRecords.Operator.ADD.apply cc=1
        DIV {
//> enum_member EnumsRecords.Operator.DIV
            int apply(int a, int b) {
//> method EnumsRecords.Operator.DIV.apply cc=2 sig="int apply(int a, int b)"
                return b == 0 ? 0 : a / b;
            }
        };

        abstract int apply(int a, int b);
//> method EnumsRecords.Operator.apply vis=internal mods=abstract sig="abstract int apply(int a, int b)"
    }

    enum Empty { }
//> enum EnumsRecords.Empty

    enum Trailing { ONE, TWO, ; static int n; }
//> enum EnumsRecords.Trailing
//> enum_member EnumsRecords.Trailing.ONE
//> enum_member EnumsRecords.Trailing.TWO
//> field EnumsRecords.Trailing.n mods=static
}

/** A point. */
record Point(int x, int y) {}
//> class Point vis=internal mods=record col=8 end=0 sig="record Point(int x, int y)" doc="A point."
//> field Point.x col=18
//> field Point.y col=25

record Range(int low, int high) implements Comparable<Range> {
//> class Range mods=record end=21 sig="record Range(int low, int high) implements Comparable<Range>"
//> field Range.low
//> field Range.high
    static final Range NONE = new Range(0, 0);
//> constant Range.NONE vis=internal mods=static,final
    static int made;
//> field Range.made mods=static

    /** Checks the order. */
    Range {
//> constructor Range.Range cc=2 col=5 end=4 doc="Checks the order."
        if (low > high) {
            throw new IllegalArgumentException("order");
        }
    }

    Range(int high) {
//> constructor Range.Range#2 cc=1 sig="Range(int high)"
        this(0, high);
    }

    public int length() { return high - low; }
//> method Range.length vis=public cc=1

    @Override
    public int low() { return low; }
//> method Range.low#2 vis=public cc=1 deco="Override"

    public int compareTo(Range o) { return Integer.compare(low, o.low); }
//> method Range.compareTo vis=public cc=1
}

record Person(
//> class Person mods=record end=9 sig="record Person(String name, int... ages)"
    String name,
//> field Person.name col=12
    int... ages
//> field Person.ages
) {
    public Person {
//> constructor Person.Person vis=public cc=1
        Objects.requireNonNull(name);
    }

    record Child(Person parent) {}
//> class Person.Child mods=record
//> field Person.Child.parent
}

record Nothing() {}
//> class Nothing mods=record sig="record Nothing()"
