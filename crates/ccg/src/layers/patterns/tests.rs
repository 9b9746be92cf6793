//! Each rule finds what it describes, and does not find what only looks like it.

use std::fmt::Write;

use super::super::super::testing::graph;
use super::*;

/// What is found: `pattern | location | coverage`, those of the whole with a star.
fn found(lines: &str, texts: &[(&str, &str)]) -> Vec<String> {
    let graph = graph(lines);
    let modules = ModuleGraph::of(&graph);
    let read = |path: &str| {
        let known = texts.iter().find(|(known, _)| *known == path);
        known.map(|(_, text)| (*text).to_owned())
    };
    let patterns = detect(&graph, &modules, &|module| modules.modules()[module].is_test, &read);
    patterns
        .detected
        .iter()
        .map(|one| {
            let star = if patterns.architectural.contains(&one.pattern) {
                "*"
            } else {
                ""
            };
            format!("{star}{} | {} | {}", one.pattern, one.location, one.coverage)
        })
        .collect()
}

fn nothing() -> Vec<String> {
    Vec::new()
}

#[test]
fn l1_workspace() {
    let lines = "file Cargo.toml toml module=Cargo.toml
        file a/Cargo.toml toml module=a/Cargo.toml
        file b/Cargo.toml toml module=b/Cargo.toml";
    assert_eq!(
        found(lines, &[("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n")]),
        ["*workspace | Cargo.toml | 2 packages"]
    );
    assert_eq!(found(lines, &[("Cargo.toml", "[package]\n")]), nothing());
}

/// Directories of four modules each, where every module of one uses every module of the next.
fn layers(directories: &[&str], and: &str) -> String {
    let mut lines = String::new();
    let mut sorted = directories.to_vec();
    sorted.sort_unstable();
    for directory in sorted {
        for module in 0..4 {
            let _ = writeln!(
                lines,
                "file src/{directory}/m{module}.py python module={directory}.m{module}"
            );
            let _ = writeln!(lines, "sym {directory}.m{module}.f function");
        }
    }
    for pair in directories.windows(2) {
        for module in 0..4 {
            let _ = writeln!(
                lines,
                "edge {}.m{module}.f call {}.m{}.f",
                pair[0],
                pair[1],
                (module + 1) % 4
            );
            let _ = writeln!(lines, "edge {}.m{module}.f call {}.m{module}.f", pair[0], pair[1]);
        }
    }
    lines.push_str(and);
    lines
}

#[test]
fn l1_layered() {
    assert_eq!(
        found(&layers(&["web", "service", "store"], ""), &[]),
        ["*layered | src | 3 of 3 directories depend on each other in one direction only, in 3 levels"]
    );
    // One call upwards, and it is no longer true.
    let broken = layers(&["web", "service", "store"], "edge store.m0.f call web.m0.f");
    assert_eq!(found(&broken, &[]), nothing());
    // Two levels are no layers.
    assert_eq!(found(&layers(&["web", "store"], ""), &[]), nothing());
}

#[test]
fn l1_mvc() {
    let mut lines = String::new();
    for part in ["controllers", "models"] {
        for name in ["a", "b", "c"] {
            let _ = writeln!(lines, "file app/{part}/{name}.rb ruby module=app/{part}/{name}");
            let _ = writeln!(lines, "sym app/{part}/{name}::F class");
        }
    }
    // Names alone prove nothing.
    assert_eq!(found(&lines, &[]), nothing());
    let mut right = lines.clone();
    let mut wrong = lines;
    for name in ["a", "b", "c"] {
        let _ = writeln!(right, "edge app/controllers/{name}::F references app/models/{name}::F");
        let _ = writeln!(wrong, "edge app/controllers/{name}::F references app/models/{name}::F");
        let _ = writeln!(wrong, "edge app/models/{name}::F references app/controllers/{name}::F");
    }
    assert_eq!(
        found(&right, &[]),
        ["*mvc | app | 3 of 3 controlling modules use models, 0 of 3 models use them"]
    );
    assert_eq!(found(&wrong, &[]), nothing());
}

#[test]
fn l1_hexagonal() {
    let mut lines = String::from("file src/adapters/disk.rs rust module=k::adapters::disk\n");
    for name in ["Files", "Clock", "Web"] {
        let _ = writeln!(lines, "sym k::adapters::disk::System{name} struct");
    }
    lines.push_str("file src/core/ports.rs rust module=k::core::ports\nsym k::core::ports::run function\n");
    for name in ["Files", "Clock", "Web"] {
        let _ = writeln!(lines, "sym k::core::ports::{name} trait");
        let _ = writeln!(lines, "sym k::core::ports::{name}::get method abstract");
    }
    for name in ["Files", "Clock", "Web"] {
        let _ = writeln!(
            lines,
            "edge k::adapters::disk::System{name} implements k::core::ports::{name}"
        );
        let _ = writeln!(lines, "edge k::core::ports::run references k::core::ports::{name}");
    }
    // Nobody reaches the outside: an interface like any other.
    assert_eq!(found(&lines, &[]), nothing());
    let ports = format!("{lines}edge k::adapters::disk import std::fs");
    assert_eq!(
        found(&ports, &[]),
        ["*hexagonal | src/core | 3 of 3 interfaces that it uses are implemented elsewhere only (adapters)"]
    );
    // The core knows an adapter.
    let broken = format!("{ports}\nedge k::core::ports::run references k::adapters::disk::SystemWeb");
    assert_eq!(found(&broken, &[]), nothing());
    // The core reaches the outside itself.
    let broken = format!("{ports}\nedge k::core::ports import std::net");
    assert_eq!(found(&broken, &[]), nothing());
}

#[test]
fn l1_client_server() {
    let mut lines = String::new();
    for side in ["client", "server", "shared"] {
        for name in ["a", "b", "c"] {
            let _ = writeln!(lines, "file {side}/{name}.ts typescript module={side}/{name}");
            let _ = writeln!(lines, "sym {side}/{name}.f function");
        }
    }
    assert_eq!(found(&lines, &[]), nothing());
    let apart = format!("{lines}edge client/a.f call shared/a.f\nedge server/a.f call shared/a.f");
    assert_eq!(
        found(&apart, &[]),
        ["*client-server | . | 3 modules in client and 3 modules in server meet only in shared"]
    );
    assert_eq!(
        found(&format!("{apart}\nedge client/b.f call server/b.f"), &[]),
        nothing()
    );
}

const BUS: &str = "file a.py python module=a
    sym a.on_a function
    file b.py python module=b
    sym b.on_b function
    file bus.py python module=bus
    sym bus.Signal class
    sym bus.Signal.connect method
    sym bus.Signal.send method
    file c.py python module=c
    sym c.tell function
    edge a call bus.Signal.connect
    edge b call bus.Signal.connect
    edge c.tell call bus.Signal.send";

#[test]
fn l1_event_bus() {
    // A connection that one can send through: nothing is called back.
    assert_eq!(found(BUS, &[]), nothing());
    let bus = format!("{BUS}\nedge bus.Signal.send call a.on_a flow\nedge bus.Signal.send call b.on_b flow");
    assert_eq!(
        found(&bus, &[]),
        ["event bus | bus.Signal | 2 modules listen, 1 module tell"]
    );
    let listeners = "file A.java java module=a
        sym a.A class
        sym a.A.start method
        file B.java java module=b
        sym b.B class
        sym b.B.start method
        file Bus.java java module=bus
        sym bus.Bus class
        sym bus.Bus.addListener method
        sym bus.Bus.fire method
        sym bus.Listener interface
        sym bus.Listener.heard method abstract
        file C.java java module=c
        sym c.C class
        sym c.C.go method
        edge bus.Bus.addListener references bus.Listener
        edge bus.Bus.fire call bus.Listener.heard
        edge a.A.start call bus.Bus.addListener
        edge b.B.start call bus.Bus.addListener
        edge c.C.go call bus.Bus.fire";
    assert_eq!(
        found(listeners, &[]),
        ["event bus | bus.Bus | 2 modules listen, 1 module tell"]
    );
}

#[test]
fn l1_event_driven() {
    let mut lines = BUS.replace("\n    edge", "\nedge");
    let edges = lines.split_off(lines.find("\nedge").expect("there is one"));
    for number in 0..5 {
        let _ = write!(lines, "\nfile d{number}.py python module=d{number}");
    }
    lines.push_str(&edges);
    lines.push_str("\nedge bus.Signal.send call a.on_a flow\nedge bus.Signal.send call b.on_b flow");
    for number in 0..5 {
        let _ = write!(lines, "\nedge d{number} call bus.Signal.connect");
    }
    assert_eq!(
        found(&lines, &[]),
        [
            "event bus | bus.Signal | 7 modules listen, 1 module tell",
            "*event-driven | bus.Signal | 8 of 9 modules",
        ]
    );
}

#[test]
fn l1_event_emitter() {
    let lines = "file r.js javascript module=r
        sym r.Runner class
        sym r.Runner.run method
        edge r.Runner extends events.EventEmitter";
    assert_eq!(found(lines, &[]), nothing());
    let emits = format!("{lines}\nedge r.Runner.run call events.EventEmitter().emit");
    assert_eq!(found(&emits, &[]), ["event emitter | r.Runner | 1 method emit events"]);
}

#[test]
fn l1_registry_and_plugins() {
    let mut lines = String::new();
    for number in 0..5 {
        let _ = writeln!(lines, "file p{number}/x.go go module=p{number}");
        let _ = writeln!(lines, "sym p{number}.init function\nsym p{number}.Config struct");
    }
    lines.push_str("file r/r.go go module=r\nsym r.RegisterConfig function\nsym r.Config interface\n");
    for number in 0..5 {
        let _ = writeln!(lines, "edge p{number}.init call r.RegisterConfig");
    }
    assert_eq!(
        found(&lines, &[]),
        ["registry | r.RegisterConfig | 5 modules register while they load"]
    );
    let mut plugins = lines.clone();
    for number in 0..5 {
        let _ = writeln!(plugins, "edge p{number}.Config implements r.Config typed");
    }
    assert_eq!(
        found(&plugins, &[]),
        [
            "*plugin | r.RegisterConfig | 5 modules with types of r.Config",
            "plugin registry | r.RegisterConfig | 5 modules register while they load, 5 of them with types of Config",
        ]
    );
    // What is called when something happens, and not while a module loads, is not a registry.
    assert_eq!(found(&lines.replace(".init", ".start"), &[]), nothing());
}

#[test]
fn l1_plugins() {
    let mut lines = String::from("file apply.js javascript module=apply\nsym apply.process function\n");
    for number in 0..6 {
        let _ = writeln!(lines, "file p{number}.js javascript module=p{number}");
        let _ = writeln!(
            lines,
            "sym p{number}.X{number}Plugin class\nsym p{number}.X{number}Plugin.apply method"
        );
    }
    assert_eq!(found(&lines, &[]), nothing());
    for number in 0..5 {
        let _ = writeln!(lines, "edge apply.process call p{number}.X{number}Plugin.apply typed");
    }
    assert_eq!(
        found(&lines, &[]),
        ["*plugin | apply.process | calls apply of 5 of 6 plug-ins"]
    );
}

#[test]
fn l1_middleware() {
    let go = |signature: &str| {
        let mut lines = String::from("file m.go go module=m\n");
        for number in 0..3 {
            let _ = writeln!(lines, "sym m.f{number} function sig=\"func f{number}{signature}\"");
        }
        lines
    };
    assert_eq!(
        found(&go("(next http.Handler) http.Handler"), &[]),
        ["middleware chain | m.f0 | 3 functions of the form func(http.Handler) http.Handler"]
    );
    assert_eq!(found(&go("(h http.Handler, n int) http.Handler"), &[]), nothing());
    let mut lines = String::from("file m.py python module=m\nsym m.MiddlewareMixin class\n");
    for name in ["A", "B", "C"] {
        let _ = writeln!(
            lines,
            "sym m.{name}Middleware class\nsym m.{name}Middleware.process_request method"
        );
    }
    assert_eq!(found(&lines, &[]), nothing());
    for name in ["A", "B", "C"] {
        let _ = writeln!(lines, "edge m.{name}Middleware extends m.MiddlewareMixin");
    }
    assert_eq!(
        found(&lines, &[]),
        ["middleware chain | m.AMiddleware | 3 of 3 middleware types"]
    );
}

#[test]
fn l1_injection() {
    let mut lines = String::from("file m.java java module=m\n");
    for name in ["A", "B", "C"] {
        let _ = writeln!(
            lines,
            "sym m.{name} class\nsym m.{name}.{name} constructor @Inject sig=\"{name}(Store store)\""
        );
    }
    assert_eq!(
        found(&lines, &[]),
        ["dependency injection | m.A | 3 types are given what they need"]
    );
    assert_eq!(found(&lines.replace("@Inject", "@Test"), &[]), nothing());
}

#[test]
fn l1_repository() {
    let lines = "file m.java java module=m
        sym m.Order class
        sym m.OrderRepository interface
        sym m.OrderRepository.findById method
        sym m.OrderRepository.save method";
    assert_eq!(found(lines, &[]), nothing());
    let proven = format!(
        "{lines}\nedge m.OrderRepository.findById references m.Order\nedge m.OrderRepository.save references m.Order"
    );
    assert_eq!(
        found(&proven, &[]),
        ["repository | m.OrderRepository | finds (1) and keeps (1) Order"]
    );
}

#[test]
fn l1_active_record() {
    let mut lines = String::from("file m.rb ruby module=m\n");
    for name in ["A", "B", "C"] {
        let _ = writeln!(lines, "sym m::{name} class");
    }
    lines.push_str("edge m::A extends ActiveRecord::Base\nedge m::B extends ActiveRecord::Base\n");
    assert_eq!(found(&lines, &[]), nothing());
    lines.push_str("edge m::C extends m::B\n");
    assert_eq!(
        found(&lines, &[]),
        ["active record | m::B | 3 classes are rows of tables"]
    );
}

#[test]
fn l1_singleton() {
    let lines = r#"file m.java java module=m
        sym m.Pool class
        sym m.Pool.INSTANCE field static private sig="private static final Pool INSTANCE = new Pool()"
        sym m.Pool.Pool constructor private sig="private Pool()"
        sym m.Pool.getInstance method static sig="public static Pool getInstance()"
        sym m.Pool.copy method sig="public Pool copy()"
        edge m.Pool instantiates m.Pool"#;
    assert_eq!(
        found(lines, &[]),
        ["singleton | m.Pool | private constructor, kept in INSTANCE, asked for by getInstance"]
    );
    // A second one is made.
    assert_eq!(
        found(&format!("{lines}\nedge m.Pool.copy instantiates m.Pool"), &[]),
        nothing()
    );
    assert_eq!(
        found(&lines.replace("constructor private", "constructor public"), &[]),
        nothing()
    );
    assert_eq!(
        found(
            &lines.replace("Pool INSTANCE = new Pool()", "Logger LOG = get(Pool.class)"),
            &[]
        ),
        nothing()
    );
    let go = r#"file m.go go module=m
        sym m.info struct
        sym m.kept static sig="var kept *info"
        sym m.once static sig="var once sync.Once"
        sym m.get function sig="func get() *info"
        edge m.get references m.info
        edge m.get reads m.kept
        edge m.get reads m.once"#;
    assert_eq!(found(go, &[]), ["singleton | m.info | made once, asked for by get"]);
    assert_eq!(found(&go.replace("edge m.get reads m.once", ""), &[]), nothing());
    let rust = r#"file m.rs rust module=m
        sym m::Config struct
        sym m::CONFIG static sig="static CONFIG: OnceLock<Config> = OnceLock::new()"
        sym m::config function sig="pub fn config() -> &'static Config"
        edge m::config references m::Config
        edge m::config reads m::CONFIG"#;
    assert_eq!(
        found(rust, &[]),
        ["singleton | m::Config | made once, asked for by config"]
    );
    let python = "file m.py python module=m
        sym m.One class
        sym m.One._instance field
        sym m.One.__new__ method";
    assert_eq!(
        found(python, &[]),
        ["singleton | m.One | __new__ gives what _instance keeps"]
    );
}

#[test]
fn l1_builder() {
    let lines = r#"file m.rs rust module=m
        sym m::Runtime struct
        sym m::Builder struct
        sym m::Builder::new method static sig="pub fn new() -> Builder"
        sym m::Builder::a method sig="pub fn a(&mut self) -> &mut Self"
        sym m::Builder::b method sig="pub fn b(mut self, x: u8) -> Self"
        sym m::Builder::c method sig="pub fn c(&mut self) -> &mut Builder"
        sym m::Builder::build method sig="pub fn build(&mut self) -> io::Result<Runtime>"
        edge m::Builder::build references m::Runtime"#;
    assert_eq!(
        found(lines, &[]),
        ["builder | m::Builder | 3 methods hand it back, build makes Runtime"]
    );
    // Something that is fluent and also creates something is not a builder.
    assert_eq!(
        found(
            &lines.replace("Builder", "Document").replace("build", "createElement"),
            &[]
        ),
        nothing()
    );
    assert_eq!(found(&lines.replace("-> &mut Builder", "-> u8"), &[]), nothing());
}

#[test]
fn l1_factory() {
    let lines = "file m.cs csharp module=m
        sym m.Renderer class abstract
        sym m.A class
        sym m.B class
        sym m.RendererFactory class abstract
        sym m.RendererFactory.Create method abstract
        sym m.AFactory class
        sym m.AFactory.Create method
        sym m.BFactory class
        sym m.BFactory.Create method
        edge m.AFactory.Create overrides m.RendererFactory.Create
        edge m.BFactory.Create overrides m.RendererFactory.Create
        edge m.AFactory.Create instantiates m.A";
    assert_eq!(found(lines, &[]), nothing());
    assert_eq!(
        found(&format!("{lines}\nedge m.BFactory.Create instantiates m.B"), &[]),
        ["abstract factory | m.RendererFactory | 2 implementations make different types"]
    );
    assert_eq!(
        found(&format!("{lines}\nedge m.BFactory.Create instantiates m.A"), &[]),
        nothing()
    );
    let one = "file m.py python module=m
        sym m.Base class
        sym m.A class
        sym m.B class
        sym m.ThingFactory class
        sym m.ThingFactory.create method
        edge m.A extends m.Base
        edge m.ThingFactory.create instantiates m.A
        edge m.ThingFactory.create instantiates m.B";
    assert_eq!(found(one, &[]), nothing());
    assert_eq!(
        found(&format!("{one}\nedge m.B extends m.Base"), &[]),
        ["factory | m.ThingFactory | makes 2 types of Base"]
    );
}

#[test]
fn l1_visitor() {
    let lines = r#"file m.java java module=m
        sym m.Visitor interface
        sym m.Visitor.visitA method abstract
        sym m.Visitor.visitB method abstract
        sym m.Visitor.visitC method abstract
        sym m.Printer class
        sym m.Printer.visitA method
        sym m.Counter class
        sym m.Counter.visitA method
        sym m.Node class
        sym m.Node.accept method sig="void accept(Visitor visitor)"
        edge m.Printer implements m.Visitor
        edge m.Counter implements m.Visitor
        edge m.Printer.visitA overrides m.Visitor.visitA
        edge m.Counter.visitA overrides m.Visitor.visitA"#;
    assert_eq!(found(lines, &[]), nothing());
    assert_eq!(
        found(&format!("{lines}\nedge m.Node.accept call m.Visitor.visitA typed"), &[]),
        ["visitor | m.Visitor | 2 implementations, guided by m.Node.accept"]
    );
    let python = "file m.py python module=m
        sym m.Names class
        sym m.Names.visit_Name method
        sym m.Names.visit_Call method";
    assert_eq!(found(python, &[]), nothing());
    assert_eq!(
        found(&format!("{python}\nedge m.Names extends ast.NodeVisitor"), &[]),
        ["visitor | m.Names | visits 2 kinds of a syntax tree"]
    );
}

#[test]
fn l1_strategy() {
    let lines = "file m.java java module=m
        sym m.Strategy interface
        sym m.Strategy.parse method abstract
        sym m.A class
        sym m.B class
        sym m.Parser class
        sym m.Parser.run method
        edge m.A implements m.Strategy
        edge m.B implements m.Strategy";
    assert_eq!(found(lines, &[]), nothing());
    assert_eq!(
        found(&format!("{lines}\nedge m.Parser.run call m.Strategy.parse typed"), &[]),
        ["strategy | m.Strategy | 2 implementations, used by 1 caller"]
    );
}

#[test]
fn l1_command() {
    let mut lines = String::from(
        "file m.py python module=m\nsym m.BaseCommand class\nsym m.BaseCommand.execute method\nsym m.BaseCommand.handle method\n",
    );
    for name in ["A", "B", "C"] {
        let _ = writeln!(lines, "sym m.{name} class\nsym m.{name}.handle method");
    }
    for name in ["A", "B", "C"] {
        let _ = writeln!(lines, "edge m.{name}.handle overrides m.BaseCommand.handle");
    }
    assert_eq!(found(&lines, &[]), nothing());
    lines.push_str("edge m.BaseCommand.execute call m.BaseCommand.handle");
    assert_eq!(
        found(&lines, &[]),
        ["command | m.BaseCommand | 3 commands, handle called by m.BaseCommand.execute"]
    );
}

#[test]
fn l1_template_method() {
    let mut lines = String::from(
        "file m.java java module=m
         sym m.Task class abstract
         sym m.Task.run method
         sym m.Task.equals method
         sym m.Task.first method abstract
         sym m.Task.second method abstract\n",
    );
    for name in ["A", "B", "C"] {
        let _ = writeln!(
            lines,
            "sym m.{name} class\nsym m.{name}.first method\nsym m.{name}.second method"
        );
    }
    for name in ["A", "B", "C"] {
        for step in ["first", "second"] {
            let _ = writeln!(lines, "edge m.{name}.{step} overrides m.Task.{step}");
        }
    }
    let general = format!("{lines}edge m.Task.equals call m.Task.first\nedge m.Task.equals call m.Task.second");
    assert_eq!(found(&general, &[]), nothing());
    let one = format!("{lines}edge m.Task.run call m.Task.first");
    assert_eq!(found(&one, &[]), nothing());
    assert_eq!(
        found(&format!("{one}\nedge m.Task.run call m.Task.second"), &[]),
        ["template method | m.Task | run calls 2 steps that 3 types define"]
    );
}

#[test]
fn l1_decorator() {
    let lines = r#"file m.java java module=m
        sym m.Bag interface
        sym m.Bag.add method abstract
        sym m.Bag.size method abstract
        sym m.LockedBag class
        sym m.LockedBag.bag field sig="private final Bag bag"
        sym m.LockedBag.add method
        sym m.LockedBag.size method
        edge m.LockedBag implements m.Bag
        edge m.LockedBag.bag references m.Bag
        edge m.LockedBag.add overrides m.Bag.add
        edge m.LockedBag.size overrides m.Bag.size
        edge m.LockedBag.add call m.Bag.add typed"#;
    assert_eq!(found(lines, &[]), nothing());
    assert_eq!(
        found(&format!("{lines}\nedge m.LockedBag.size call m.Bag.size typed"), &[]),
        ["decorator | m.LockedBag | hands on 2 methods of Bag"]
    );
    let several = lines.replace("Bag bag", "List<Bag> bags");
    assert_eq!(
        found(&format!("{several}\nedge m.LockedBag.size call m.Bag.size typed"), &[]),
        nothing()
    );
}

#[test]
fn l1_patterns_are_bounded_and_what_is_left_out_is_counted() {
    let mut lines = String::from("file m.rs rust module=m\nsym m::Runtime struct\n");
    let mut edges = String::new();
    for number in 0..200 {
        let _ = writeln!(lines, "sym m::B{number}Builder struct");
        for name in ["a", "b", "c"] {
            let _ = writeln!(
                lines,
                "sym m::B{number}Builder::{name} method sig=\"fn {name}(self) -> Self\""
            );
        }
        let _ = writeln!(
            lines,
            "sym m::B{number}Builder::build method sig=\"fn build(self) -> Runtime\""
        );
        let _ = writeln!(edges, "edge m::B{number}Builder::build references m::Runtime");
    }
    lines.push_str(&edges);
    let graph = graph(&lines);
    let modules = ModuleGraph::of(&graph);
    let patterns = detect(&graph, &modules, &|_| false, &|_| None);
    assert_eq!((patterns.detected.len(), patterns.left_out), (3, 197));
    assert!(patterns.detected[0].coverage.ends_with("; one of 200"));
    // What is not a part of the program is not looked at.
    assert_eq!(detect(&graph, &modules, &|_| true, &|_| None), Patterns::default());
}
