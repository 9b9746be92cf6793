package demo.patterns;

/** Uses patterns in switches. */
class Patterns {
//> class Patterns vis=internal doc="Uses patterns in switches."
    sealed interface Expr permits Num, Sum {}
//> interface Patterns.Expr mods=sealed
    record Num(int value) implements Expr {}
//> class Patterns.Num mods=record sig="record Num(int value) implements Expr"
//> field Patterns.Num.value
    record Sum(Expr left, Expr right) implements Expr {}
//> class Patterns.Sum mods=record
//> field Patterns.Sum.left
//> field Patterns.Sum.right

    static int eval(Expr e) {
//> method Patterns.eval mods=static cc=3
        return switch (e) {
            case Num n -> n.value();
            case Sum(Expr l, Expr r) -> eval(l) + eval(r);
        };
    }

    static String guarded(Object o) {
//> method Patterns.guarded mods=static cc=5
        return switch (o) {
            case Integer i when i > 0 -> "positive";
            case Integer i -> "whole";
            case String s -> s;
            default -> "other";
        };
    }
}
