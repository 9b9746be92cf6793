package demo.interfaces;

import java.lang.annotation.ElementType;
//> import ElementType from java.lang.annotation ElementType
import java.lang.annotation.Retention;
//> import Retention from java.lang.annotation Retention
import java.lang.annotation.RetentionPolicy;
//> import RetentionPolicy from java.lang.annotation RetentionPolicy
import java.lang.annotation.Target;
//> import Target from java.lang.annotation Target

/** What can be stored. */
public interface Interfaces extends Comparable<Interfaces>, AutoCloseable {
//> interface Interfaces vis=public mods=- col=18 end=32 sig="public interface Interfaces extends Comparable<Interfaces>, AutoCloseable" doc="What can be stored."

    /** The most. */
    int MAX = 3;
//> constant Interfaces.MAX vis=public col=9 sig="int MAX = 3" doc="The most."

    public static final String NAME = "n", OTHER = "o";
//> constant Interfaces.NAME vis=public mods=static,final
//> constant Interfaces.OTHER vis=public mods=static,final

    /** Its size. */
    int size();
//> method Interfaces.size vis=public mods=- end=0 sig="int size()" doc="Its size."

    public abstract void clear() throws IllegalStateException;
//> method Interfaces.clear vis=public mods=abstract sig="public abstract void clear() throws IllegalStateException"

    default boolean isEmpty() {
//> method Interfaces.isEmpty vis=public mods=default cc=1 end=2 sig="default boolean isEmpty()"
        return size() == 0;
    }

    static Interfaces none() { return null; }
//> method Interfaces.none vis=public mods=static cc=1 sig="static Interfaces none()"

    private int twice() { return 2 * size(); }
//> method Interfaces.twice vis=private mods=- cc=1 sig="private int twice()"

    private static int helper() { return 1; }
//> method Interfaces.helper vis=private mods=static cc=1

    <T> T accept(Visitor<T> v);
//> method Interfaces.accept vis=public sig="<T> T accept(Visitor<T> v)"

    interface Visitor<R> {
//> interface Interfaces.Visitor vis=public sig="interface Visitor<R>"
        R visit(Interfaces i);
//> method Interfaces.Visitor.visit vis=public sig="R visit(Interfaces i)"
    }

    class Impl {
//> class Interfaces.Impl vis=public
        private int state;
//> field Interfaces.Impl.state vis=private
        public void touch() { state++; }
//> method Interfaces.Impl.touch vis=public cc=1
    }
}

/** Marks a thing. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@interface Marked {
//> interface Marked vis=internal col=12 end=8 deco="Retention(RetentionPolicy.RUNTIME)" deco="Target({ElementType.TYPE, ElementType.METHOD})" doc="Marks a thing."
    /** The value. */
    String value() default "none";
//> method Marked.value vis=public doc="The value."
    int priority() default 5;
//> method Marked.priority vis=public
    Class<?>[] groups();
//> method Marked.groups vis=public sig="Class<?>[] groups()"
    String DEFAULT = "none";
//> constant Marked.DEFAULT vis=public
    enum Mode { ON, OFF }
//> enum Marked.Mode vis=public
//> enum_member Marked.Mode.ON vis=public
//> enum_member Marked.Mode.OFF vis=public
    @interface Inner {}
//> interface Marked.Inner vis=public
}

@Marked(value = "shape", priority = 1, groups = {String.class})
sealed interface Shape permits Round, Square, Shape.Free {
//> interface Shape vis=internal mods=sealed deco="Marked(value = "shape", priority = 1, groups = {String.class})" sig="sealed interface Shape permits Round, Square, Shape.Free"
    double area();
//> method Shape.area vis=public

    non-sealed interface Free extends Shape {}
//> interface Shape.Free vis=public mods=non-sealed sig="non-sealed interface Free extends Shape"
}

final class Round implements Shape {
//> class Round vis=internal mods=final sig="final class Round implements Shape"
    private final double radius;
//> field Round.radius vis=private mods=final
    Round(double radius) { this.radius = radius; }
//> constructor Round.Round vis=internal cc=1
    @Override public double area() { return 3 * radius * radius; }
//> method Round.area vis=public cc=1 deco="Override"
}

non-sealed class Square implements Shape {
//> class Square vis=internal mods=non-sealed sig="non-sealed class Square implements Shape"
    public double area() { return 1; }
//> method Square.area vis=public cc=1
}

abstract sealed class Base permits Left, Right {}
//> class Base vis=internal mods=abstract,sealed sig="abstract sealed class Base permits Left, Right"
final class Left extends Base {}
//> class Left mods=final
final class Right extends Base {}
//> class Right mods=final
