package demo.complexity;

import java.util.List;
//> import List from java.util List

class Complexity {
//> class Complexity
    int field = Math.random() > 0.5 ? 1 : 2;
//> field Complexity.field

    int straight(int a) { return a; }
//> method Complexity.straight cc=1

    Complexity(int a) {
//> constructor Complexity.Complexity cc=3
        if (a > 0 && a < 10) field = a;
    }

    String chain(int a) {
//> method Complexity.chain cc=4
        if (a > 10) {
            return "big";
        } else if (a > 5) {
            return "middle";
        } else if (a > 1) {
            return "small";
        } else {
            return "tiny";
        }
    }

    int loops(int[] all) {
//> method Complexity.loops cc=5
        int n = 0;
        for (int i = 0; i < all.length; i++) n += i;
        for (int x : all) n += x;
        while (n > 100) n /= 2;
        do {
            n--;
        } while (n > 10);
        return n;
    }

    boolean operators(boolean a, boolean b, boolean c) {
//> method Complexity.operators cc=4
        return a && b || !c && a;
    }

    boolean bits(boolean a, boolean b) { return a & b | a ^ b; }
//> method Complexity.bits cc=1

    int ternaries(int a) { return a > 0 ? 1 : a < 0 ? -1 : 0; }
//> method Complexity.ternaries cc=3

    String oldSwitch(int n) {
//> method Complexity.oldSwitch cc=4
        switch (n) {
            case 0:
                return "zero";
            case 1:
            case 2:
                return "few";
            default:
                return "many";
        }
    }

    int switchExpression(String s) {
//> method Complexity.switchExpression cc=4
        return switch (s) {
            case "a", "b" -> 1;
            case "c" -> {
                int t = s.length();
                yield t > 3 ? t : 0;
            }
            default -> throw new IllegalStateException();
        };
    }

    int yielding(Thread.State state) {
//> method Complexity.yielding cc=3
        int r = switch (state) {
            case NEW:
                yield 1;
            case RUNNABLE:
                yield 2;
            default:
                yield 3;
        };
        return r;
    }

    void catches(AutoCloseable c) {
//> method Complexity.catches cc=3
        try (c; var other = c) {
            c.close();
        } catch (IllegalStateException | IllegalArgumentException e) {
            field = 1;
        } catch (Exception e) {
            field = 2;
        } finally {
            field = 3;
        }
    }

    synchronized int blocks(Object lock, int n) {
//> method Complexity.blocks cc=1
        synchronized (lock) {
            assert n > 0 : "positive";
            field = n;
        }
        return n;
    }

    int labels(int[][] grid) {
//> method Complexity.labels cc=4
        outer:
        for (int[] row : grid) {
            for (int cell : row) {
                if (cell == 0) continue outer;
                break outer;
            }
        }
        return 0;
    }

    int apart(List<Integer> all) {
//> method Complexity.apart cc=2
        if (all.isEmpty()) return 0;
        all.removeIf(n -> n > 3 && n < 5);
//> function Complexity.apart.<lambda1> cc=2
        all.forEach(n -> {
//> function Complexity.apart.<lambda2> cc=3
            for (int i = 0; i < n; i++) {
                if (i == 2) field++;
            }
        });
        class Local {
//> class Complexity.apart.Local
            int deep(int n) {
//> method Complexity.apart.Local.deep cc=3
                while (n > 0) n = n > 5 ? 5 : n - 1;
                return n;
            }
        }
        Object o = new Object() {
            @Override
            public String toString() {
//> method Complexity.apart.<class1>.toString cc=2 deco="Override"
                return field > 0 ? "yes" : "no";
            }
        };
        return new Local().deep(o.hashCode());
    }

    boolean instance(Object o) {
//> method Complexity.instance cc=3
        if (o instanceof String s && !s.isEmpty()) return true;
        return false;
    }

    String text() {
//> method Complexity.text cc=1
        // if (a) { while (b) { } }
        return "if (a && b) ? c : d" + '?' + """
            for (;;) { case 1: }
            """;
    }
}
