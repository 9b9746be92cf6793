package demo.imports;

import java.util.List;
//> import List from java.util List
import java.util.function.*;
//> import * from java.util.function *
import static java.lang.Math.max;
//> import max from java.lang.Math max
import static java.util.stream.Collectors.*;
//> import * from java.util.stream.Collectors *
import java.util.Map.Entry;
//> import Entry from java.util.Map Entry
import java.io.File;
//> import File from java.io File

// import java.net.URL;
/* import java.net.URI; */

/** Uses what it imports. */
class Imports {
//> class Imports vis=internal doc="Uses what it imports."
    static final String TEXT = "import java.nio.Path;";
//> constant Imports.TEXT vis=internal sig="static final String TEXT = "import java.nio.Path;""

    int most(List<Integer> all, Function<Integer, Integer> f) {
//> method Imports.most vis=internal cc=2
        int best = 0;
        for (int n : all) best = max(best, f.apply(n));
        return best;
    }

    List<String> names(List<File> files, Entry<String, String> e) {
//> method Imports.names cc=1
        return files.stream().map(File::getName).collect(toList());
    }
}
