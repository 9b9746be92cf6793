package demo.generics;

import java.util.ArrayList;
//> import ArrayList from java.util ArrayList
import java.util.List;
//> import List from java.util List
import java.util.Map;
//> import Map from java.util Map
import java.util.function.BiFunction;
//> import BiFunction from java.util.function BiFunction

public class Generics<K extends Comparable<? super K> & java.io.Serializable, V> extends ArrayList<Map.Entry<K, V>> {
//> class Generics vis=public end=53 sig="public class Generics<K extends Comparable<? super K> & java.io.Serializable, V> extends ArrayList<Map.Entry<K, V>>"

    private final Map<K, List<? extends V>> index = new java.util.TreeMap<>();
//> field Generics.index vis=private mods=final sig="private final Map<K, List<? extends V>> index = new java.util.TreeMap<>()"

    List<int[]>[] buckets;
//> field Generics.buckets vis=internal sig="List<int[]>[] buckets"

    /** The greater one. */
    public static <T extends Comparable<T>> T max(List<? extends T> all) {
//> method Generics.max vis=public mods=static cc=3 col=47 end=6 sig="public static <T extends Comparable<T>> T max(List<? extends T> all)" doc="The greater one."
        T best = null;
        for (T t : all) {
            best = best == null ? t : best;
        }
        return best;
    }

    @SafeVarargs
    static <E, C extends List<E>> C fill(C into, E... items) {
//> method Generics.fill mods=static cc=2 deco="SafeVarargs" sig="static <E, C extends List<E>> C fill(C into, E... items)"
        for (E e : items) into.add(e);
        return into;
    }

    <A, B> Map<A, ? super B> convert(
//> method Generics.convert vis=internal cc=1 end=4 sig="<A, B> Map<A, ? super B> convert(Map<? extends A, B> from, BiFunction<? super A, ? super B, B> how)"
            Map<? extends A, B> from,
            BiFunction<? super A, ? super B, B> how) {
        return null;
    }

    @SuppressWarnings("unchecked")
    @Deprecated
    protected <X> X[] toArrays(X[][] in) { return in[0]; }
//> method Generics.toArrays vis=protected cc=1 deco="SuppressWarnings("unchecked")" deco="Deprecated" sig="protected <X> X[] toArrays(X[][] in)"

    static class Node<T> {
//> class Generics.Node mods=static sig="static class Node<T>"
        T value;
//> field Generics.Node.value
        Node<T> next;
//> field Generics.Node.next sig="Node<T> next"

        Node(T value) { this(value, null); }
//> constructor Generics.Node.Node cc=1
        Node(T value, Node<T> next) {
//> constructor Generics.Node.Node#2 cc=1 sig="Node(T value, Node<T> next)"
            this.value = value;
            this.next = next;
        }

        <R> Node<R> map(java.util.function.Function<? super T, ? extends R> f) {
//> method Generics.Node.map cc=2
            return new Node<>(f.apply(value), next == null ? null : next.map(f));
        }
    }

    interface Fold<A, B> {
//> interface Generics.Fold sig="interface Fold<A, B>"
        B fold(B start, A next);
//> method Generics.Fold.fold vis=public
    }

    record Box<T extends Number>(T value, List<T> more) {
//> class Generics.Box mods=record sig="record Box<T extends Number>(T value, List<T> more)"
//> field Generics.Box.value
//> field Generics.Box.more
        static <N extends Number> Box<N> of(N n) { return new Box<>(n, List.of()); }
//> method Generics.Box.of mods=static cc=1
    }
}
