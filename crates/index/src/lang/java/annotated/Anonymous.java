package demo.anonymous;

import java.util.Comparator;
//> import Comparator from java.util Comparator
import java.util.List;
//> import List from java.util List
import java.util.function.Function;
//> import Function from java.util.function Function
import java.util.function.Supplier;
//> import Supplier from java.util.function Supplier

class Anonymous {
//> class Anonymous
    static int total;
//> field Anonymous.total mods=static

    static {
        new Thread(new Runnable() {
            public void run() { total++; }
//> method Anonymous.<class1>.run vis=public cc=1
        }).start();
    }

    private final Runnable onField = new Runnable() {
//> field Anonymous.onField vis=private mods=final end=3
        @Override
        public void run() { total--; }
//> method Anonymous.onField.<class1>.run vis=public cc=1 deco="Override"
    };

    Runnable make(int n) {
//> method Anonymous.make cc=1 end=11
        return new Runnable() {
//> class Anonymous.make.<class1>
            private int calls = n;
//> field Anonymous.make.<class1>.calls vis=private sig="private int calls = n"

            @Override
            public void run() {
//> method Anonymous.make.<class1>.run vis=public cc=2 end=2 deco="Override" sig="public void run()"
                if (calls > 0) calls--;
            }

            private int left() { return calls; }
//> method Anonymous.make.<class1>.left vis=private cc=1
        };
    }

    List<Comparator<String>> several() {
//> method Anonymous.several cc=1
        Comparator<String> first = new Comparator<>() {
            public int compare(String a, String b) { return a.length() - b.length(); }
//> method Anonymous.several.<class1>.compare cc=1
        };
        Comparator<String> second = new Comparator<String>() {
            public int compare(String a, String b) {
//> method Anonymous.several.<class2>.compare cc=2
                return a.isEmpty() ? 0 : b.compareTo(a);
            }
        };
        return List.of(first, second);
    }

    Supplier<Supplier<Integer>> nested() {
//> method Anonymous.nested cc=1
        return new Supplier<>() {
            public Supplier<Integer> get() {
//> method Anonymous.nested.<class1>.get cc=1
                return new Supplier<>() {
                    public Integer get() { return 1; }
//> method Anonymous.nested.<class1>.get.<class1>.get cc=1
                };
            }
        };
    }

    int lambdas(List<String> all) {
//> method Anonymous.lambdas cc=2
        Function<String, Integer> size = s -> s.length();
        Function<String, Integer> checked = (String s) -> {
//> function Anonymous.lambdas.<lambda2> cc=3
            if (s == null || s.isEmpty()) {
                return 0;
            }
            return size.apply(s);
        };
        all.sort((a, b) -> a.length() > b.length() ? 1 : -1);
//> function Anonymous.lambdas.<lambda3> cc=2
        Function<String, Integer> reference = String::length;
        for (String s : all) total += checked.apply(s) + reference.apply(s);
        return total;
    }

    Runnable inLambda() {
//> method Anonymous.inLambda cc=1
        return () -> {
//> function Anonymous.inLambda.<lambda1> cc=1
            class Counter {
//> class Anonymous.inLambda.<lambda1>.Counter
                int n;
//> field Anonymous.inLambda.<lambda1>.Counter.n
                void up() { n++; }
//> method Anonymous.inLambda.<lambda1>.Counter.up cc=1
            }
            new Counter().up();
            new Object() {
                void hello() { total = 0; }
//> method Anonymous.inLambda.<lambda1>.<class1>.hello cc=1
            }.hello();
        };
    }

    Function<Integer, Function<Integer, Integer>> curried() {
//> method Anonymous.curried cc=1
        return a ->
//> function Anonymous.curried.<lambda1> cc=1
            b ->
//> function Anonymous.curried.<lambda1>.<lambda1> cc=2
                a > b ? a : b;
    }

    Anonymous() {
//> constructor Anonymous.Anonymous cc=1
        new Thread() {
            @Override public void run() { total = 9; }
//> method Anonymous.Anonymous.<class1>.run cc=1 deco="Override"
        }.start();
    }
}
