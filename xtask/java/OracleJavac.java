import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Truth about calls in Java: what javac says each call site of a tree calls, as JSON lines.
 *
 * <pre>java OracleJavac TREE [SOURCE-DIRECTORY…]</pre>
 *
 * A row is a call site or a definition; {@code xtask/src/accuracy/oracle/rows.rs} describes both. Files that need classes that are not
 * there are attributed as far as possible: a call that javac cannot resolve is not decided.
 */
public final class OracleJavac {
    private final Path tree;
    private final Trees trees;
    private final Types types;
    private final Elements elements;
    private final PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    /** Where the definitions of the tree are. */
    private final Map<Element, Place> places = new HashMap<>();

    private record Place(String file, long line) {
        String key() {
            return file + ":" + line;
        }
    }

    private OracleJavac(Path tree, JavacTask task) {
        this.tree = tree;
        trees = Trees.instance(task);
        types = task.getTypes();
        elements = task.getElements();
    }

    public static void main(String[] arguments) throws IOException {
        Path tree = Path.of(arguments[0]).toRealPath();
        List<Path> roots = new ArrayList<>();
        for (int at = 1; at < arguments.length; at++) {
            roots.add(tree.resolve(arguments[at]));
        }
        if (roots.isEmpty()) {
            roots.add(tree);
        }
        List<Path> files = new ArrayList<>();
        for (Path root : roots) {
            try (Stream<Path> found = Files.walk(root)) {
                found.filter(OracleJavac::isSource).sorted().forEach(files::add);
            }
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager manager = compiler.getStandardFileManager(diagnostic -> {}, null, StandardCharsets.UTF_8);
        List<String> options = List.of("-proc:none", "-XDshould-stop.ifError=FLOW", "-Xmaxerrs", "1", "-nowarn");
        JavacTask task = (JavacTask) compiler.getTask(
                null, manager, diagnostic -> {}, options, null, manager.getJavaFileObjectsFromPaths(files));
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        task.analyze();
        OracleJavac judge = new OracleJavac(tree, task);
        units.forEach(unit -> new Definitions(judge, unit).scan(unit, null));
        units.forEach(unit -> new Sites(judge, unit).scan(unit, null));
        judge.printDefinitions();
        judge.out.flush();
    }

    private static boolean isSource(Path path) {
        String name = path.getFileName().toString();
        return name.endsWith(".java") && !name.equals("module-info.java") && !name.equals("package-info.java");
    }

    /** Notes where the methods and types of a file are. */
    private static final class Definitions extends TreePathScanner<Void, Void> {
        private final OracleJavac judge;
        private final CompilationUnitTree unit;

        Definitions(OracleJavac judge, CompilationUnitTree unit) {
            this.judge = judge;
            this.unit = unit;
        }

        @Override
        public Void visitMethod(MethodTree node, Void nothing) {
            note(node, node.getName().contentEquals("<init>") ? null : node.getName().toString());
            return super.visitMethod(node, nothing);
        }

        @Override
        public Void visitClass(ClassTree node, Void nothing) {
            note(node, node.getSimpleName().toString());
            return super.visitClass(node, nothing);
        }

        private void note(Tree node, String name) {
            Element element = judge.trees.getElement(getCurrentPath());
            long start = judge.trees.getSourcePositions().getStartPosition(unit, node);
            if (element == null || start < 0 || judge.elements.getOrigin(element) != Elements.Origin.EXPLICIT) {
                return;
            }
            judge.places.put(element, new Place(judge.relative(unit), judge.nameLine(unit, node, element, name)));
        }
    }

    /** The line of the name of a definition: after modifiers, annotations and the type. */
    private long nameLine(CompilationUnitTree unit, Tree node, Element element, String name) {
        LineMap lines = unit.getLineMap();
        // javac's own position of a definition is that of its name.
        int position = ((com.sun.tools.javac.tree.JCTree) node).pos;
        if (node instanceof ClassTree type) {
            // The position of a class is that of its modifiers or keyword.
            int from = position;
            try {
                CharSequence text = unit.getSourceFile().getCharContent(true);
                int found = name.isEmpty() ? -1 : text.toString().indexOf(" " + name, from);
                if (found >= 0) {
                    position = found + 1;
                }
            } catch (IOException error) {
                return lines.getLineNumber(position);
            }
        }
        return lines.getLineNumber(position);
    }

    private String relative(CompilationUnitTree unit) {
        return tree.relativize(Path.of(unit.getSourceFile().toUri())).toString().replace('\\', '/');
    }

    /** Prints the call sites of a file. */
    private static final class Sites extends TreePathScanner<Void, Void> {
        private final OracleJavac judge;
        private final CompilationUnitTree unit;

        Sites(OracleJavac judge, CompilationUnitTree unit) {
            this.judge = judge;
            this.unit = unit;
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree node, Void nothing) {
            ExpressionTree callee = node.getMethodSelect();
            boolean isSelect = callee instanceof MemberSelectTree;
            String name = isSelect ? ((MemberSelectTree) callee).getIdentifier().toString() : callee.toString();
            print(node, callee, name, shape(callee));
            return super.visitMethodInvocation(node, nothing);
        }

        @Override
        public Void visitNewClass(NewClassTree node, Void nothing) {
            Tree made = node.getIdentifier();
            String name = simple(made.toString());
            print(node, node.getIdentifier(), name, node.getClassBody() == null ? "new" : "new with a body");
            return super.visitNewClass(node, nothing);
        }

        private void print(ExpressionTree node, Tree named, String name, String construct) {
            Element element = judge.trees.getElement(getCurrentPath());
            if (node instanceof NewClassTree made && made.getClassBody() != null) {
                element = judge.constructed(element);
            }
            int position = ((com.sun.tools.javac.tree.JCTree) named).pos;
            if (named instanceof MemberSelectTree select) {
                long end = judge.trees.getSourcePositions().getEndPosition(unit, select);
                position = (int) end - select.getIdentifier().length();
            }
            long line = unit.getLineMap().getLineNumber(position);
            boolean isOverloaded = element instanceof ExecutableElement && judge.isOverloaded(element);
            String target = judge.target(element);
            String suffix = element == null ? "" : judge.suffix(element, isOverloaded);
            judge.out.println("{\"site\":{\"file\":" + quoted(judge.relative(unit)) + ",\"line\":" + line + ",\"name\":"
                    + quoted(name) + ",\"construct\":" + quoted(construct + suffix) + ",\"targets\":["
                    + (target == null ? "" : target) + "],\"whole\":" + (target != null) + "}}");
        }

        private String shape(ExpressionTree callee) {
            if (callee instanceof IdentifierTree name) {
                String text = name.getName().toString();
                return text.equals("super") || text.equals("this") ? "call of " + text + "()" : "call of a name";
            }
            if (!(callee instanceof MemberSelectTree select)) {
                return "call of another expression";
            }
            ExpressionTree value = select.getExpression();
            while (value instanceof ParenthesizedTree inner) {
                value = inner.getExpression();
            }
            return "call of a member of " + value(value);
        }

        private String value(ExpressionTree value) {
            if (value instanceof IdentifierTree name) {
                String text = name.getName().toString();
                if (text.equals("this") || text.equals("super")) {
                    return text;
                }
                Element element = judge.trees.getElement(new TreePath(getCurrentPath(), value));
                if (element == null) {
                    return "a name";
                }
                return switch (element.getKind()) {
                    case FIELD -> "a field";
                    case PARAMETER -> "a parameter";
                    case LOCAL_VARIABLE, RESOURCE_VARIABLE, BINDING_VARIABLE, EXCEPTION_PARAMETER -> "a variable";
                    case CLASS, INTERFACE, ENUM, RECORD, ANNOTATION_TYPE -> "a type";
                    default -> "a name";
                };
            }
            return switch (value.getKind()) {
                case METHOD_INVOCATION -> "a call's result";
                case NEW_CLASS -> "a new object";
                case MEMBER_SELECT -> "a member";
                case ARRAY_ACCESS -> "an entry";
                case TYPE_CAST -> "a cast";
                case STRING_LITERAL -> "a text";
                default -> "another expression";
            };
        }
    }

    /** The constructor of the class that an anonymous class extends; for an interface there is none in the source. */
    private Element constructed(Element element) {
        if (element == null || !(element.getEnclosingElement() instanceof TypeElement anonymous)) {
            return element;
        }
        List<? extends TypeMirror> interfaces = anonymous.getInterfaces();
        TypeMirror base = interfaces.isEmpty() ? anonymous.getSuperclass() : interfaces.get(0);
        return types.asElement(base);
    }

    private boolean isOverloaded(Element element) {
        Element owner = element.getEnclosingElement();
        return owner != null
                && owner.getEnclosedElements().stream()
                                .filter(other -> other.getKind() == element.getKind()
                                        && other.getSimpleName().equals(element.getSimpleName()))
                                .count()
                        > 1;
    }

    private String suffix(Element element, boolean isOverloaded) {
        Element owner = element.getEnclosingElement();
        String abstractly = element.getModifiers().contains(Modifier.ABSTRACT) ? ", abstract" : "";
        String generic = owner instanceof TypeElement type && !type.getTypeParameters().isEmpty() ? ", of a generic type" : "";
        return (isOverloaded ? ", overloaded" : "") + abstractly + generic;
    }

    /** A definition as a target; nothing if javac could not resolve it. */
    private String target(Element element) {
        if (element == null || element.getKind() == ElementKind.OTHER || element.asType().getKind() == TypeKind.ERROR) {
            return null;
        }
        boolean isExecutable = element instanceof ExecutableElement;
        if (!isExecutable && !(element instanceof TypeElement)) {
            return null;
        }
        Element owner = isExecutable ? element.getEnclosingElement() : element;
        boolean isConstructor = element.getKind() == ElementKind.CONSTRUCTOR || !isExecutable;
        String name = isConstructor ? owner.getSimpleName().toString() : element.getSimpleName().toString();
        // A constructor that nobody wrote is its class.
        Place place = places.getOrDefault(element, isConstructor ? places.get(owner) : null);
        String head = "{\"name\":" + quoted(name) + ",\"owner\":"
                + (isConstructor ? "null" : quoted(owner.getSimpleName().toString()));
        if (place == null) {
            return head + ",\"outside\":true,\"places\":[],\"keys\":[" + quoted(key(element)) + "]}";
        }
        return head + ",\"places\":[[" + quoted(place.file()) + "," + place.line() + "]],\"keys\":[" + quoted(place.key()) + "]}";
    }

    private String key(Element element) {
        Place place = places.get(element);
        if (place != null) {
            return place.key();
        }
        return "outside:" + element.getEnclosingElement() + "." + element;
    }

    /** Prints what the methods of the tree override. */
    private void printDefinitions() {
        Map<String, Set<String>> overrides = new java.util.TreeMap<>();
        Map<String, Place> at = new HashMap<>();
        for (Map.Entry<Element, Place> entry : places.entrySet()) {
            if (!(entry.getKey() instanceof ExecutableElement method) || method.getKind() != ElementKind.METHOD) {
                continue;
            }
            TypeElement owner = (TypeElement) method.getEnclosingElement();
            Set<String> keys = new TreeSet<>();
            for (TypeElement above : above(owner)) {
                for (Element member : above.getEnclosedElements()) {
                    if (member instanceof ExecutableElement other
                            && other.getSimpleName().equals(method.getSimpleName())
                            && elements.overrides(method, other, owner)) {
                        keys.add(key(other));
                    }
                }
            }
            if (!keys.isEmpty()) {
                at.put(entry.getValue().key(), entry.getValue());
                overrides.computeIfAbsent(entry.getValue().key(), key -> new TreeSet<>()).addAll(keys);
            }
        }
        overrides.forEach((key, keys) -> out.println("{\"definition\":{\"file\":" + quoted(at.get(key).file())
                + ",\"line\":" + at.get(key).line() + ",\"overrides\":["
                + keys.stream().map(OracleJavac::quoted).collect(Collectors.joining(",")) + "]}}"));
    }

    /** Every type above a type. */
    private Set<TypeElement> above(TypeElement type) {
        Set<TypeElement> found = new LinkedHashSet<>();
        List<TypeMirror> waiting = new ArrayList<>(types.directSupertypes(type.asType()));
        while (!waiting.isEmpty()) {
            TypeMirror next = waiting.remove(0);
            if (next instanceof DeclaredType declared
                    && declared.getKind() != TypeKind.ERROR
                    && declared.asElement() instanceof TypeElement element
                    && found.add(element)) {
                waiting.addAll(types.directSupertypes(next));
            }
        }
        return found;
    }

    private static String simple(String name) {
        String plain = name.replaceAll("<.*", "");
        return plain.substring(plain.lastIndexOf('.') + 1).trim();
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char letter : text.toCharArray()) {
            if (letter == '"' || letter == '\\') {
                quoted.append('\\').append(letter);
            } else if (letter < ' ') {
                quoted.append(String.format("\\u%04x", (int) letter));
            } else {
                quoted.append(letter);
            }
        }
        return quoted.append('"').toString();
    }
}
