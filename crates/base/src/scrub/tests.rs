//! Text in, text out: what is taken out, and what looks like it and stays (clause P7). Tokens are put together here, so that no scanner takes this file
//! for a leak.

use proptest::prelude::*;

use super::*;

fn scrubbed(text: &str) -> String {
    Scrubber::on().scrub(text, Wording::Prose).into_owned()
}

/// Checks a table of texts and what becomes of them.
fn becomes(table: &[(&str, &str)]) {
    for (text, wanted) in table {
        assert_eq!(scrubbed(text), *wanted, "{text}");
        assert_eq!(scrubbed(wanted), *wanted, "a second time: {wanted}");
    }
}

/// Checks that texts are left as they are.
fn stays(texts: &[&str]) {
    for text in texts {
        assert_eq!(scrubbed(text), *text);
    }
}

#[test]
fn p7_addresses_of_people_are_taken_out() {
    becomes(&[
        ("ask jane.doe+lore@mail.co.uk.", "ask [email]."),
        ("Author: Jane <jane@firm.de>", "Author: Jane <[email]>"),
        ("a@b.io, c_d@e-f.org;g@163.com", "[email], [email];[email]"),
        ("mailto:me@host.example.com?x=1", "mailto:[email]?x=1"),
        ("Größe: jürgen@firma.de", "Größe: [email]"),
        ("写给foo@bar.com吧", "写给[email]吧"),
        ("...root@host.net", "...[email]"),
        ("jané@fïrm.org", "[email]"),
        ("\"jane doe\"@firm.org", "[email]"),
        ("?to=jane%40firm.org&x", "?to=[email]&x"),
    ]);
}

#[test]
fn p7_what_only_looks_like_an_address_stays() {
    stays(&[
        "@foo.bar",
        "@app.route('/x')",
        "@pytest.mark.parametrize(\"a,b\", [])",
        "user@1.2.3",
        "pkg@1.0.0-beta.rc",
        "@types/node@18.0.0",
        "actions/checkout@v4",
        "icon@2x.png",
        "git@github.com:owner/repo.git",
        "ssh://git@host.org/x.git",
        "https://jane@host.org/x",
        "a @ b.T",
        "x@y",
        "a@b.c",
        "@",
        "@@@@",
        "me@.com",
        "me@host..com",
        "100%40.com",
        "\"a\"@en",
    ]);
}

#[test]
fn p7_paths_of_machines_are_taken_out() {
    becomes(&[
        ("reads /home/jane/src/a.py:3", "reads [path]:3"),
        ("'/Users/jane/Library/x'", "'[path]'"),
        ("in /home/jane.", "in [path]."),
        (concat!("/ro", "ot/.ssh/id_rsa"), "[path]"),
        (r"C:\Users\Jane\x.txt", "[path]"),
        (r"C:\Users\Jane Doe\x.txt and more", "[path] and more"),
        (r#"open("C:\\Users\\jane\\x")"#, r#"open("[path]")"#),
        ("c:/users/jane/x", "[path]"),
        (r"D:\Documents and Settings\jane", "[path]"),
        ("/mnt/c/Users/jane/x", "[path]"),
        ("see file:///srv/build/a.md)", "see [path])"),
        ("-I/home/jane/include", "-I[path]"),
        ("PATH=/home/jane/bin:/usr/bin", "PATH=[path]:/usr/bin"),
        ("/var/folders/q7/x/T/tmp", "[path]"),
        ("/home/ünal/x", "[path]"),
        (r"D:\work\jane\x", "[path]"),
        (r"\\fileserver\share\jane", "[path]"),
        ("'\\\\\\\\fileserver\\\\share\\\\x'", "'[path]'"),
        ("/Volumes/Jane/x", "[path]"),
        ("/srv/jane/app", "[path]"),
        ("/builds/acme/x", "[path]"),
        ("/var/lib/jenkins/workspace/x", "[path]"),
    ]);
}

#[test]
fn p7_paths_that_are_nobodys_stay() {
    stays(&[
        "#!/usr/bin/env python",
        "/usr/bin/env in a doc",
        "/etc/hosts, /tmp/x and /var/log",
        "https://example.com/home/index.html",
        "https://example.com/Users/list",
        "docs/home/index.md",
        "@app.route(\"/home\")",
        "/home/",
        "/home/$USER/x",
        "/home/<name>/x",
        "/users/:id",
        "~/.config/lore",
        "profile://x",
        r"\d+:\Users",
        "C:",
        "http://localhost:8080/home",
        "@app.route('/builds/latest')",
        r"C:\Windows\System32\cmd.exe",
        r"C:\Program Files\Git",
        r"a:\d+\w+",
        r"\\alpha\\beta",
        r"\\d\w",
        r"\begin\end",
    ]);
}

#[test]
fn p7_tokens_of_known_services_are_taken_out() {
    let letters = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
    let capitals = "A2B3C4D5E6F7G2H3";
    for lead in [
        "ghp_", "gho_", "ghs_", "glpat-", "xoxb-", "sk_live_", "npm_", "hf_", "sk-",
    ] {
        let token = format!("{lead}{letters}");
        assert_eq!(scrubbed(&format!("token {token}, then")), "token [secret], then");
        assert_eq!(scrubbed(&format!("\"{token}\"")), "\"[secret]\"");
        assert_eq!(
            scrubbed(&format!("https://host/x?key={token}&y=1")),
            "https://host/x?key=[secret]&y=1"
        );
    }
    assert_eq!(scrubbed(&format!("github_pat_{letters}_{letters}")), "[secret]");
    assert_eq!(scrubbed(&format!("id {}{capitals}.", "AKIA")), "id [secret].");
    assert_eq!(scrubbed(&format!("{}{}", "AIza", &letters[..35])), "[secret]");
    let part = "eyJhbGciOiJIUzI1NiJ9";
    assert_eq!(scrubbed(&format!("Bearer {part}.{part}.{letters}")), "Bearer [secret]");
    let key = format!(
        "-----BEGIN RSA {k}-----\nMIIE\nabc\n-----END RSA {k}-----",
        k = "PRIVATE KEY"
    );
    assert_eq!(scrubbed(&format!("a\n{key}\nb")), "a\n[secret]\nb");
    assert_eq!(
        scrubbed(&format!("a -----BEGIN {}----- MIIE", "PRIVATE KEY")),
        "a [secret]"
    );
    assert_eq!(
        scrubbed("https://jane:hunter2@host.org/x"),
        "https://jane:[secret]@host.org/x"
    );
}

#[test]
fn p7_what_a_secret_is_set_to_is_taken_out() {
    becomes(&[
        ("password = \"hunter2\"", "password = \"[secret]\""),
        (
            "def f(user, password='hunter2', x=1)",
            "def f(user, password='[secret]', x=1)",
        ),
        ("DB_PASSWORD: str = \"hunter2\"", "DB_PASSWORD: str = \"[secret]\""),
        (
            "const apiKey: &'static str = \"x9y8z7\";",
            "const apiKey: &'static str = \"[secret]\";",
        ),
        ("{\"client_secret\": \"abc def\"}", "{\"client_secret\": \"[secret]\"}"),
        ("{'token': 'abcd'}", "{'token': '[secret]'}"),
        ("self.access_key := `abcd`", "self.access_key := `[secret]`"),
        ("$passwd => 'abcd'", "$passwd => '[secret]'"),
        ("export TOKEN=abc123def", "export TOKEN=[secret]"),
        (
            "password: Optional[Dict[str, str]] = \"hunter2\"",
            "password: Optional[Dict[str, str]] = \"[secret]\"",
        ),
        ("PASSWORD = b\"\\\"quoted\\\"\"", "PASSWORD = b\"[secret]\""),
    ]);
}

#[test]
fn p7_what_only_names_a_secret_stays() {
    stays(&[
        "def login(user: str, password: str) -> Token",
        "f(password: str, mode: str = \"strict\")",
        "password=None, token=token",
        "password = \"\"",
        "password=\"password\"",
        "token='csrfmiddlewaretoken'",
        "tokenizer=\"bert-base-uncased\"",
        "token_type=\"bearer\"",
        "secret_name = \"database\"",
        "api_key = os.environ[\"API_KEY\"]",
        "password = \"<your password>\"",
        "password: \"${PASSWORD}\"",
        "password = '********'",
        "password = input(\"Please type your password: \")",
        "password = \"please type your word\"",
        "the password: \"",
        "password=get_password(v1)",
        "token: the one of the session",
        "token: optional, password: required",
        ":param token: oauth2 token",
        "password=str, token=None",
        "token: user.token2",
        "max_tokens=1000, token=1234",
    ]);
    // Behind a name in a declaration stands a type, or another name.
    for text in [
        "token: string2",
        "def f(token=default_v2, password: str)",
        "form:has(#id_password input[value=\"some\"]:checked) .field",
        "password: Secret2",
        "self.token = user.token_v2",
    ] {
        assert_eq!(Scrubber::on().scrub(text, Wording::Code), text);
    }
    // What is no value of a setting stays there too.
    for text in [
        "password: ${PASSWORD}",
        "token: $TOKEN",
        "id-token: write",
        "token: true",
        "password: string",
        "secret: /run/secrets/db",
        "token: https://example.org/token",
        "password: !vault x",
        "max_token: 4096",
        "token: *anchor",
    ] {
        assert_eq!(Scrubber::on().scrub(text, Wording::Settings), text);
    }
}

#[test]
fn p7_a_value_without_quotation_marks_is_taken_out_too() {
    for (text, wanted) in [
        ("DB_PASSWORD=hunter2", "DB_PASSWORD=[secret]"),
        ("export TOKEN=hunter", "export TOKEN=[secret]"),
        ("password: hunter2", "password: [secret]"),
        ("password: correct", "password: [secret]"),
        ("db.password = 1234", "db.password = [secret]"),
        ("api_key: x9/y8+z7=", "api_key: [secret]"),
    ] {
        assert_eq!(Scrubber::on().scrub(text, Wording::Settings), wanted);
        assert_eq!(Scrubber::on().scrub(wanted, Wording::Settings), wanted);
    }
    becomes(&[
        (
            "Log in with password: hunter2 and",
            "Log in with password: [secret] and",
        ),
        ("ENV DB_PASSWORD=hunter", "ENV DB_PASSWORD=[secret]"),
        ("pwd = s3cret!", "pwd = [secret]"),
    ]);
    for (text, wanted) in [
        ("var apiKey string = `hunter2`", "var apiKey string = `[secret]`"),
        (
            "dsn = \"Server=db;Password=hunter;\"",
            "dsn = \"Server=db;Password=[secret];\"",
        ),
        (
            "dict(password='correct horse battery staple')",
            "dict(password='[secret]')",
        ),
    ] {
        assert_eq!(Scrubber::on().scrub(text, Wording::Code), wanted);
    }
}

#[test]
fn p7_addresses_that_are_secrets_are_taken_out() {
    let slack = format!("https://hooks.slack.com/{}/T000/B000/XXXXXXXX", "services");
    assert_eq!(scrubbed(&slack), "https://hooks.slack.com/services/[secret]");
    let discord = format!("\"https://discord.com/api/{}/1234567/abc-DEF_\"", "webhooks");
    assert_eq!(scrubbed(&discord), "\"https://discord.com/api/webhooks/[secret]\"");
    stays(&["https://discord.com/api/webhooks/", "hooks.slack.com/services/ID"]);
}

#[test]
fn p7_the_directory_of_the_repository_is_taken_out() {
    let mut scrubber = Scrubber::below(Some("/made/ci/shop"));
    for (text, wanted) in [
        ("reads /made/ci/shop/src/a.py:3", "reads [path]:3"),
        ("in /made/ci/shop.", "in [path]."),
        ("/made/ci/shopping stays", "/made/ci/shopping stays"),
        ("a/made/ci/shop stays", "a/made/ci/shop stays"),
    ] {
        assert_eq!(scrubber.scrub(text, Wording::Prose), wanted);
    }
    // What every container has says nothing.
    assert_eq!(
        Scrubber::below(Some("/app")).scrub("/app/main.py", Wording::Prose),
        "/app/main.py"
    );
}

#[test]
fn p7_random_tokens_are_taken_out_and_words_digests_and_alphabets_stay() {
    becomes(&[
        ("key Zx81mQp4LsT7vNc2RkY9dHb5 here", "key [secret] here"),
        ("wJalrXUt9FEMIaK7MDENGbPxR3fiCYzQ8AMP1LE", "[secret]"),
    ]);
    stays(&[
        "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "550e8400-e29b-41d4-a716-446655440000",
        "sha512-Zx81mQp4LsT7vNc2RkY9dHb5Zx81mQp4LsT7vNc2RkY9dHb5",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8Z1x",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        "TestGetObjectWithSSECustomerKey256Headers",
        "test_http2_connection_preface_is_sent_before_Settings",
        "com.example.project.module.ServiceImplementation2",
        "Utf8StringDecoderForWindows1252AndLatin1",
        "https://example.com/a/very/long/path/With/Capitals/And/Digits/2024/12/31",
    ]);
    // A name is no secret, however it looks.
    let mut scrubber = Scrubber::on();
    let name = "Zx81mQp4LsT7vNc2RkY9dHb5";
    assert_eq!(scrubber.scrub(name, Wording::Name), name);
    assert_eq!(scrubber.scrub("mails a@b.org", Wording::Name), "mails [email]");
}

#[test]
fn p7_what_is_taken_out_is_counted_and_nothing_is_when_it_is_off() {
    let text = "a@b.org c@d.org /home/jane/x password=\"hunter2\"";
    let mut on = Scrubber::on();
    assert_eq!(
        on.scrub(text, Wording::Prose),
        "[email] [email] [path] password=\"[secret]\""
    );
    let wanted = Scrubbed {
        emails: 2,
        secrets: 1,
        paths: 1,
    };
    assert_eq!((on.scrubbed, on.scrubbed.total()), (wanted, 4));
    let mut off = Scrubber::off();
    assert_eq!(off.scrub(text, Wording::Prose), text);
    assert!(off.is_off() && off.scrubbed == Scrubbed::default());
}

#[test]
fn p7_scrubbing_is_linear_in_the_text() {
    // Each of these would take hours if a finder looked back or ahead without a bound.
    for part in [
        "@",
        "a@",
        "a@b.",
        "sk-",
        "password=",
        "token:",
        "/home/",
        "C:\\",
        "-----BEGIN ",
        "://a:",
        "eyJ.",
        "a b\\",
    ] {
        let text = part.repeat(100_000 / part.len());
        let clean = scrubbed(&text);
        assert!(clean.len() <= text.len() * 2, "{part}");
    }
}

proptest! {
    #![proptest_config(lore_testing::cases(256))]

    #[test]
    fn p7_no_text_is_too_strange_and_scrubbing_twice_is_scrubbing_once(
        text in "[a-zA-Z0-9@./:=\\\\\"' _-]{0,80}|\\PC{0,40}",
    ) {
        let once = scrubbed(&text);
        prop_assert_eq!(scrubbed(&once), once);
    }
}
