package lang;

record Pair(String left, int right) {
//> class Pair vis=internal mods=record sig="record Pair(String left, int right)"
//> field Pair.left vis=public
//> field Pair.right vis=public
    Pair {
//> constructor Pair.Pair vis=internal
    }
}

public enum Level {
//> enum Level vis=public
    LOW(1);
//> enum_member Level.LOW vis=public

    private final int number;
//> field Level.number vis=private mods=final

    Level(int number) {
//> constructor Level.Level vis=private
        this.number = number;
    }

    final java.util.function.IntSupplier twice = () -> 2 * number;
//> field Level.twice vis=internal
//> function Level.twice.<lambda1>
}
