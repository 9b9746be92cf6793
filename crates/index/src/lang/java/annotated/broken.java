package demo.broken;

import java.util.List;
//> import List from java.util List

class First {
//> class First
    int x;
//> field First.x

    int early() { return x; }
//> method First.early

    int middle(int n) {
//> method First.middle
        int y = = n;
        return y;
    }

    int later() { return 2; }
//> method First.later
}

) ] 17 ]

class Second {
//> class Second
    static final int LIMIT = 3;
//> constant Second.LIMIT

    void call() {
//> method Second.call
        List.of(1, 2,, 3);
    }

    void end() {}
//> method Second.end
}

enum Third { A, B }
//> enum Third
//> enum_member Third.A
//> enum_member Third.B

interface Fourth {
//> interface Fourth
    int size();
//> method Fourth.size
}
