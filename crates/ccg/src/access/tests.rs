//! What is granted and what is not, hostile documents included.

use super::super::Identity;
use super::super::dataset::Graph;
use super::*;

const SHA: &str = "0123456789abcdef0123456789abcdef01234567";
const PREFIXES: &str = "@prefix acl: <http://www.w3.org/ns/auth/acl#> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix vcard: <http://www.w3.org/2006/vcard/ns#> .
";

/// The example of §5.2, as it is there.
const EXAMPLE: &str = "@prefix acl: <http://www.w3.org/ns/auth/acl#> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .

# Public: Anyone can see manifest
<#public-manifest> a acl:Authorization ;
    acl:accessTo </ccg/github.com/org/repo/layer/0> ;
    acl:agentClass foaf:Agent ;
    acl:mode acl:Read .

# Authenticated: Any verified agent can see architecture
<#authenticated-arch> a acl:Authorization ;
    acl:accessTo </ccg/github.com/org/repo/layer/1> ;
    acl:agentClass acl:AuthenticatedAgent ;
    acl:mode acl:Read .

# Private: Only specific agents can see full detail
<#private-full> a acl:Authorization ;
    acl:accessTo </ccg/github.com/org/repo/layer/3> ;
    acl:agent <https://security-scanner.example.ai/#agent> ;
    acl:mode acl:Read .
";

fn identity() -> Identity {
    Identity::new("github.com", "org", "repo", SHA)
}

fn root() -> ServiceRoot {
    ServiceRoot::parse("https://ccg.example.org/").expect("it is a service")
}

fn parse(text: &str) -> Acl {
    Acl::parse(&root(), "/ccg/github.com/org/repo/acl.ttl", text.as_bytes())
}

fn me() -> Agent {
    Agent::Named("https://me.example/#i".to_owned())
}

fn ask(text: &str, agent: &Agent, address: &str) -> Decision {
    let resource = Resource::parse(&root(), address).expect(address);
    decide(&parse(text), agent, &resource, Mode::Read)
}

/// Whether the body of an authorization of somebody's lets him read the symbol index.
fn body(statements: &str) -> Decision {
    let text = format!("{PREFIXES}<#it> {statements} .");
    ask(
        &text,
        &me(),
        &format!("/ccg/github.com/org/repo@{SHA}/symbol-index.nq.gz"),
    )
}

#[test]
fn a2_the_example_of_the_text_works_as_it_stands() {
    let scanner = Agent::Named("https://security-scanner.example.ai/#agent".to_owned());
    let acl = parse(EXAMPLE);
    let layers = |agent: &Agent| -> Vec<u8> {
        let found = readable_layers(&acl, agent, &identity());
        found.into_iter().map(LayerNumber::number).collect()
    };
    assert_eq!(layers(&Agent::Public), [0]);
    assert_eq!(layers(&Agent::Authenticated), [0, 1]);
    assert_eq!(layers(&me()), [0, 1]);
    assert_eq!(layers(&scanner), [0, 1, 3]);
    assert!(readable_graphs(&acl, &me(), &identity()).is_empty());
    let graphs = readable_graphs(&acl, &scanner, &identity());
    let graphs: Vec<&str> = graphs.into_iter().map(Graph::name).collect();
    assert_eq!(graphs, ["dataflow", "docs", "history", "security"]);
    let decision = ask(EXAMPLE, &Agent::Public, "/ccg/github.com/org/repo/latest/manifest.json");
    assert_eq!(decision.why, "#public-manifest (line 5) gives anyone Read");
    let by = decision.by.expect("something grants it");
    let iri = "https://ccg.example.org/ccg/github.com/org/repo/acl.ttl#public-manifest";
    assert_eq!((by.iri.as_deref(), by.line), (Some(iri), Some(5)));
    assert_eq!(decision.tier, Some(Tier::Public));
}

#[test]
fn a2_denials_say_why() {
    let full = format!("/ccg/github.com/org/repo@{SHA}/full-detail.nq.gz");
    let decision = ask(EXAMPLE, &Agent::Public, &full);
    assert_eq!(decision.why, "the authorization that names it does not grant it");
    assert_eq!(decision.passed[0].authorization.line, Some(17));
    assert_eq!(decision.passed[0].why, "it is not for anyone");
    assert_eq!(ask(EXAMPLE, &me(), &full).passed[0].why, "it does not name this agent");
    let decision = ask(EXAMPLE, &Agent::Authenticated, &full);
    assert_eq!(decision.passed[0].why, "it is for named agents only");
    let decision = ask(EXAMPLE, &me(), "/ccg/github.com/org/other/layer/0");
    assert_eq!(decision.why, "no authorization names it");
    assert_eq!(decision.passed, []);
}

#[test]
fn a2_a_layer_is_its_file_at_every_commit_and_the_graphs_it_alone_holds() {
    let text = format!(
        "{PREFIXES}<#it> a acl:Authorization ; acl:accessTo </ccg/github.com/org/repo/layer/2> ; acl:agentClass foaf:Agent ; acl:mode acl:Read ."
    );
    let base = identity().base().to_owned();
    for (address, granted) in [
        (format!("/ccg/github.com/org/repo@{SHA}/symbol-index.nq.gz"), true),
        ("/ccg/github.com/org/repo@abc123/symbol-index.nq.gz".to_owned(), true),
        ("/ccg/github.com/org/repo/latest/symbol-index.nq.gz".to_owned(), true),
        ("/ccg/github.com/org/repo/layer/2".to_owned(), true),
        ("/ccg/github.com/org/repo@abc123/layer/2".to_owned(), true),
        (format!("{base}/layer/2"), true),
        (format!("{base}/graph/meta"), true),
        (format!("{base}/graph/structure"), true),
        (format!("{base}/graph/calls"), true),
        (format!("{base}/graph/types"), true),
        (format!("{base}/graph/security"), false),
        (format!("{base}/graph/docs"), false),
        (format!("{base}/layer/3"), false),
        (format!("/ccg/github.com/org/repo@{SHA}/manifest.json"), false),
        (format!("/ccg/github.com/org/repo@{SHA}/full-detail.nq.gz"), false),
        ("/ccg/github.com/org/repo2/layer/2".to_owned(), false),
        ("/ccg/github.com/Org/repo/layer/2".to_owned(), false),
        ("/ccg/GitHub.com/org/repo/layer/2".to_owned(), false),
        ("/ccg/github.com/org/group/repo/layer/2".to_owned(), false),
    ] {
        assert_eq!(ask(&text, &Agent::Public, &address).granted, granted, "{address}");
    }
}

#[test]
fn a2_a_commit_or_a_file_or_a_graph_is_only_that() {
    for (named, granted) in [
        (
            "/ccg/github.com/org/repo@abc123/layer/2",
            &["file", "layer", "graph"][..],
        ),
        ("/ccg/github.com/org/repo@abc123/symbol-index.nq.gz", &["file"]),
        ("/ccg/github.com/org/repo@abc123/graph/calls", &["graph"]),
        ("/ccg/github.com/org/repo/graph/calls", &["graph"]),
        ("/ccg/github.com/org/repo/latest/symbol-index.nq.gz", &[]),
        ("/ccg/github.com/org/repo@abc124/layer/2", &[]),
        ("/ccg/github.com/org/rep%6F/layer/2", &["file", "layer", "graph"]),
        (
            "https://ccg.example.org/ccg/github.com/org/repo/layer/2",
            &["file", "layer", "graph"],
        ),
        (
            "https://codecontextgraph.com/repo/github.com/org/repo/layer/2",
            &["file", "layer", "graph"],
        ),
        ("https://codecontextgraph.com/ccg/github.com/org/repo/layer/2", &[]),
        ("https://ccg.example.org/repo/github.com/org/repo/layer/2", &[]),
        ("http://ccg.example.org/ccg/github.com/org/repo/layer/2", &[]),
        // Relative to the document, which lies beside the layers.
        ("layer/2", &["file", "layer", "graph"]),
        ("../../org/repo/layer/2", &["file", "layer", "graph"]),
    ] {
        let text = format!(
            "{PREFIXES}<#it> a acl:Authorization ; acl:accessTo <{named}> ; acl:agentClass foaf:Agent ; acl:mode acl:Read ."
        );
        let asked = [
            ("file", "/ccg/github.com/org/repo@abc123/symbol-index.nq.gz"),
            ("layer", "/ccg/github.com/org/repo@abc123/layer/2"),
            ("graph", "/ccg/github.com/org/repo@abc123/graph/calls"),
        ];
        let found: Vec<&str> = asked
            .iter()
            .filter(|(_, address)| ask(&text, &Agent::Public, address).granted)
            .map(|(name, _)| *name)
            .collect();
        assert_eq!(found, granted, "{named}");
    }
}

#[test]
fn a2_default_is_inherited_by_what_lies_below_and_access_to_is_not() {
    let file = "/ccg/github.com/org/repo@abc123/architecture.json";
    let latest = "/ccg/github.com/org/repo/latest/architecture.json";
    for (predicate, named, granted) in [
        ("default", "/", &[file, latest][..]),
        ("default", "/ccg/", &[file, latest]),
        ("default", "/ccg/github.com/", &[file, latest]),
        ("default", "/ccg/github.com/org/", &[file, latest]),
        ("default", "/ccg/github.com/org/repo/", &[file, latest]),
        ("default", "/ccg/github.com/org/repo/layer/", &[file, latest]),
        ("default", "/ccg/github.com/org/repo@abc123/", &[file]),
        ("default", "/ccg/github.com/org/repo/latest/", &[latest]),
        (
            "default",
            "https://codecontextgraph.com/repo/github.com/org/",
            &[file, latest],
        ),
        ("default", "/ccg/github.com/org", &[]),
        ("default", "/ccg/github.com/or/", &[]),
        ("default", "/ccg/github.com/org/re/", &[]),
        ("default", "/ccg/github.com/org/repo/layer/1", &[]),
        ("default", "/ccg/github.com/org/repo/layer/1/", &[]),
        ("default", "/ccg/github.com/org/repo@abc124/", &[]),
        ("default", "/ccg/github.com/org/repo%40abc123/", &[]),
        ("default", "/repo/github.com/org/", &[]),
        ("default", "https://codecontextgraph.com/", &[]),
        ("accessTo", "/", &[]),
        ("accessTo", "/ccg/github.com/org/repo/", &[]),
        ("accessTo", "/ccg/github.com/org/repo@abc123/", &[]),
    ] {
        let text = format!(
            "{PREFIXES}<#it> a acl:Authorization ; acl:{predicate} <{named}> ; acl:agentClass foaf:Agent ; acl:mode acl:Read ."
        );
        let asked = [file, latest].into_iter();
        let found: Vec<&str> = asked
            .filter(|address| ask(&text, &Agent::Public, address).granted)
            .collect();
        assert_eq!(found, granted, "{predicate} {named}");
    }
    // A commit that may be read as a whole may be queried as a whole.
    let text = format!(
        "{PREFIXES}<#it> a acl:Authorization ; acl:default </ccg/github.com/org/repo@{SHA}/> ; acl:agentClass foaf:Agent ; acl:mode acl:Read ."
    );
    assert_eq!(readable_graphs(&parse(&text), &Agent::Public, &identity()).len(), 8);
    let other = Identity::new("github.com", "org", "repo", "abc123");
    assert_eq!(readable_graphs(&parse(&text), &Agent::Public, &other).len(), 0);
}

const OBJECT: &str = "acl:accessTo </ccg/github.com/org/repo/layer/2>";

#[test]
fn a2_agents_are_named_one_by_one_by_group_or_by_class() {
    for (subject, granted) in [
        ("acl:agent <https://me.example/#i>", true),
        ("acl:agent <https://you.example/#i>, <https://me.example/#i>", true),
        ("acl:agent <https://me.example/#I>", false),
        ("acl:agent <https://me.example/>", false),
        ("acl:agentClass foaf:Agent", true),
        ("acl:agentClass acl:AuthenticatedAgent", true),
        ("acl:agentGroup <#team>", true),
        ("acl:agentGroup <#others>", false),
        ("acl:agentGroup <https://other.example/group#g>", false),
        // A class is not an agent, and an agent is not a class.
        ("acl:agent foaf:Agent", false),
        ("acl:agentGroup foaf:Agent", false),
    ] {
        let text = format!(
            "{PREFIXES}<#team> a vcard:Group ; vcard:hasMember <https://me.example/#i> .
<#others> vcard:hasMember <https://you.example/#i>, <#team> .
<#it> a acl:Authorization ; {OBJECT} ; {subject} ; acl:mode acl:Read ."
        );
        let decision = ask(&text, &me(), "/ccg/github.com/org/repo/layer/2");
        assert_eq!(decision.granted, granted, "{subject}: {decision:?}");
    }
}

#[test]
fn a2_only_read_is_read() {
    for (modes, granted) in [
        ("acl:Read", true),
        ("acl:Read, acl:Write", true),
        ("acl:Write", false),
        ("acl:Append", false),
        ("acl:Control", false),
        ("acl:Write, acl:Append, acl:Control", false),
    ] {
        let decision = body(&format!(
            "a acl:Authorization ; {OBJECT} ; acl:agentClass foaf:Agent ; acl:mode {modes}"
        ));
        assert_eq!(decision.granted, granted, "{modes}");
    }
    let text =
        format!("{PREFIXES}<#it> a acl:Authorization ; {OBJECT} ; acl:agentClass foaf:Agent ; acl:mode acl:Write .");
    let resource = Resource::layer(&identity(), LayerNumber::SymbolIndex);
    let may = |mode: Mode| decide(&parse(&text), &me(), &resource, mode).granted;
    assert_eq!(
        [Mode::Read, Mode::Write, Mode::Append, Mode::Control].map(may),
        [false, true, true, false]
    );
    let decision = body(&format!(
        "a acl:Authorization ; {OBJECT} ; acl:agentClass foaf:Agent ; acl:mode acl:Write, acl:Append"
    ));
    assert_eq!(decision.passed[0].why, "it gives Write and Append, not Read");
}

#[test]
fn a2_what_is_not_understood_whole_grants_nothing() {
    let good = format!("a acl:Authorization ; {OBJECT} ; acl:agentClass foaf:Agent ; acl:mode acl:Read");
    assert!(body(&good).granted);
    assert!(
        body(&format!(
            "{good} ; <http://www.w3.org/2000/01/rdf-schema#label> \"a remark\""
        ))
        .granted
    );
    for (added, why) in [
        (
            "acl:origin <https://app.example>",
            "it is restricted to an origin, which Lore does not support",
        ),
        (
            "acl:agentClass <https://x.example/Staff>",
            "Lore does not know the class of agents <https://x.example/Staff>",
        ),
        (
            "acl:agentClass foaf:agent",
            "Lore does not know the class of agents <http://xmlns.com/foaf/0.1/agent>",
        ),
        (
            "acl:mode acl:read",
            "Lore does not know the mode <http://www.w3.org/ns/auth/acl#read>",
        ),
        ("acl:mode \"Read\"", "acl:mode needs an IRI, not \"Read\""),
        ("acl:agent \"me\"", "acl:agent needs an IRI, not \"me\""),
        (
            "acl:accessToClass foaf:Document",
            "Lore does not know acl:accessToClass",
        ),
        ("acl:condition <#c>", "Lore does not know acl:condition"),
        (
            "<https://x.example/validUntil> \"1999-12-31\"",
            "Lore does not know <https://x.example/validUntil>",
        ),
        (
            "a <https://x.example/Denial>",
            "Lore does not know what a <https://x.example/Denial> grants",
        ),
        (
            "acl:accessTo <https://ccg.example.org/ccg/github.com/org/repo/../x/layer/0>",
            "`https://ccg.example.org/ccg/github.com/org/repo/../x/layer/0` is not the address of a layer: it has a segment `.` or `..`",
        ),
    ] {
        let decision = body(&format!("{good} ; {added}"));
        assert!(!decision.granted, "{added}");
        assert_eq!(decision.passed[0].why, why);
    }
    for (statements, why) in [
        (
            format!("{OBJECT} ; acl:agentClass foaf:Agent ; acl:mode acl:Read"),
            "it does not have the type acl:Authorization",
        ),
        (
            format!("a acl:authorization ; {OBJECT} ; acl:agentClass foaf:Agent ; acl:mode acl:Read"),
            "Lore does not know what a <http://www.w3.org/ns/auth/acl#authorization> grants; it does not have the type acl:Authorization",
        ),
        (
            format!("a acl:Authorization ; {OBJECT} ; acl:agentClass foaf:Agent"),
            "it gives no mode",
        ),
        (
            format!("a acl:Authorization ; {OBJECT} ; acl:mode acl:Read"),
            "it does not name this agent",
        ),
    ] {
        let decision = body(&statements);
        assert!(!decision.granted, "{statements}");
        assert_eq!(decision.passed[0].why, why);
    }
    // What names nothing is about nothing.
    assert!(!body("a acl:Authorization ; acl:agentClass foaf:Agent ; acl:mode acl:Read").granted);
}

#[test]
fn a2_an_authorization_is_all_that_is_said_of_it_anywhere() {
    let text = format!(
        "{PREFIXES}<#it> a acl:Authorization ; {OBJECT} ; acl:agentClass foaf:Agent ; acl:mode acl:Read .
<#other> a acl:Authorization .
<#it> acl:origin <https://app.example> ."
    );
    assert!(!ask(&text, &Agent::Public, "/ccg/github.com/org/repo/layer/2").granted);
}

#[test]
fn a2_authorizations_without_a_name_count() {
    let text =
        format!("{PREFIXES}\n[] a acl:Authorization ; {OBJECT} ; acl:agentClass foaf:Agent ; acl:mode acl:Read .");
    let decision = ask(&text, &Agent::Public, "/ccg/github.com/org/repo/layer/2");
    assert_eq!(
        decision.why,
        "an authorization without a name (line 5) gives anyone Read"
    );
}

#[test]
fn a2_a_document_that_is_not_turtle_grants_nothing() {
    let granted = "/ccg/github.com/org/repo/layer/0";
    assert!(ask(EXAMPLE, &Agent::Public, granted).granted);
    let decision = ask(
        &format!("{EXAMPLE}\n<#x> a acl:Authorization ;; ]\n"),
        &Agent::Public,
        granted,
    );
    assert!(!decision.granted);
    assert!(
        decision
            .why
            .starts_with("the document has a fault, so it grants nothing: 22:29: "),
        "{}",
        decision.why
    );
    for hostile in [
        format!("{EXAMPLE}<"),
        format!("{EXAMPLE}\u{0}"),
        format!("{EXAMPLE}<#x> a undeclared:Thing ."),
        format!("{EXAMPLE}\"\"\""),
        format!("{EXAMPLE}{}", "( ".repeat(50_000)),
        format!("{EXAMPLE}{}", "[ acl:agent ".repeat(10_000)),
        format!("{EXAMPLE}# {}", "x".repeat(MAX_ACL_BYTES as usize)),
        format!("{EXAMPLE}{}", "<a><b><c>.".repeat(17_000)),
        format!("{EXAMPLE}\"\"\"{}", "\n".repeat(100_000)),
        format!("{EXAMPLE}{{ <a> <b> <c> }}"),
    ] {
        let decision = ask(&hostile, &Agent::Public, granted);
        assert!(!decision.granted && parse(&hostile).fault.is_some());
    }
    let not_utf8 = [EXAMPLE.as_bytes(), b"<#x> acl:agent \"\xff\" ."].concat();
    let acl = Acl::parse(&root(), "/acl.ttl", &not_utf8);
    assert!(acl.fault.is_some() && acl.authorizations.is_empty());
}

#[test]
fn a2_a_base_of_its_own_leads_elsewhere() {
    let text = EXAMPLE.replace("# Public", "@base <https://example.org/> .\n# Public");
    assert!(!ask(&text, &Agent::Public, "/ccg/github.com/org/repo/layer/0").granted);
    let text = EXAMPLE.replace("# Public", "@base <https://ccg.example.org/x/> .\n# Public");
    assert!(ask(&text, &Agent::Public, "/ccg/github.com/org/repo/layer/0").granted);
}

#[test]
fn a2_long_documents_are_understood_without_lines() {
    let text = format!("{}{EXAMPLE}", "#\n".repeat(5_000));
    let decision = ask(&text, &Agent::Public, "/ccg/github.com/org/repo/layer/0");
    assert_eq!(decision.why, "#public-manifest gives anyone Read");
}

#[test]
fn a2_a_question_about_every_commit_needs_an_answer_for_every_commit() {
    let every = Resource {
        version: Version::Every,
        part: Part::Layer(LayerNumber::Manifest),
        ..Resource::layer(&identity(), LayerNumber::Manifest)
    };
    let one = format!(
        "{PREFIXES}<#it> a acl:Authorization ; acl:accessTo </ccg/github.com/org/repo@{SHA}/layer/0> ; acl:agentClass foaf:Agent ; acl:mode acl:Read ."
    );
    assert!(!decide(&parse(&one), &me(), &every, Mode::Read).granted);
    assert!(decide(&parse(EXAMPLE), &me(), &every, Mode::Read).granted);
}

#[test]
fn a2_agents_are_read() {
    assert_eq!(Agent::parse("public"), Some(Agent::Public));
    assert_eq!(Agent::parse("authenticated"), Some(Agent::Authenticated));
    assert_eq!(
        Agent::parse("mailto:a@example.org"),
        Some(Agent::Named("mailto:a@example.org".to_owned()))
    );
    for text in ["Public", "", "me", "#me", "https://a b"] {
        assert_eq!(Agent::parse(text), None, "{text}");
    }
}

#[test]
fn a2_a_truncated_or_damaged_document_grants_no_more() {
    let granted = |text: &[u8]| -> usize {
        let acl = Acl::parse(&root(), "/acl.ttl", text);
        let agents = [Agent::Public, Agent::Authenticated, me()];
        let layers = agents
            .iter()
            .map(|agent| readable_layers(&acl, agent, &identity()).len());
        layers.sum()
    };
    let whole = granted(EXAMPLE.as_bytes());
    assert_eq!(whole, 5);
    for end in 0..EXAMPLE.len() {
        assert!(granted(&EXAMPLE.as_bytes()[..end]) <= whole, "{end}");
    }
    for at in 0..EXAMPLE.len() {
        for byte in [b'<', b'"', b'.', b';', b'\\', 0, 0xff] {
            let mut text = EXAMPLE.as_bytes().to_vec();
            text[at] = byte;
            assert!(granted(&text) <= whole, "{at} {byte}");
        }
    }
}
