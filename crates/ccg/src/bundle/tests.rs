//! Bundles that are written and read back, and bundles that were made to hurt.

use std::io::{Cursor, Read, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::*;
use crate::GzipWriter;
use lore_base::excerpt::excerpt;
use lore_seam::{ErrorKind, OpError};

const QUAD: &str = "<https://e.org/s> <https://e.org/p> \"o\" <https://e.org/g> .\n";

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut gzip = GzipWriter::new(Vec::new());
    gzip.write_all(text).unwrap();
    gzip.finish().unwrap()
}

/// What writes some bytes.
fn writes<'a>(bytes: &'a [u8]) -> PartWriter<'a> {
    Box::new(move |out| out.write_all(bytes).map_err(OpError::from_write))
}

fn sample() -> Vec<(Part, Vec<u8>)> {
    vec![
        (Part::Manifest, b"{\"@type\": \"ccg:Manifest\"}".to_vec()),
        (Part::Architecture, b"{\"modules\": []}".repeat(50)),
        (Part::SymbolIndex, gzip(QUAD.as_bytes())),
        (Part::FullDetail, gzip(QUAD.repeat(3000).as_bytes())),
        (Part::Acl, b"# nobody\n".to_vec()),
        (Part::Readme, b"# A repository\n".to_vec()),
    ]
}

fn written(parts: &[(Part, Vec<u8>)]) -> Vec<u8> {
    let mut out = Vec::new();
    let writers = parts.iter().map(|(part, bytes)| (*part, writes(bytes))).collect();
    write_bundle(&mut out, writers).unwrap();
    out
}

/// An archive of entries as anybody could make it.
fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        zip.start_file(*name, options).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn refusal(bytes: Vec<u8>) -> String {
    Bundle::open("x.ccg.zip", bytes).unwrap_err().to_string()
}

/// Where a sequence of bytes last stands.
fn last(bytes: &[u8], wanted: &[u8]) -> usize {
    bytes.windows(wanted.len()).rposition(|found| found == wanted).unwrap()
}

#[test]
fn lb_a_bundle_holds_the_files_of_the_text_in_one_order() {
    let mut shuffled = sample();
    shuffled.reverse();
    let bytes = written(&shuffled);
    assert_eq!(bytes, written(&sample()));
    let mut zip = ZipArchive::new(Cursor::new(&bytes)).unwrap();
    let mut names = Vec::new();
    for at in 0..zip.len() {
        let file = zip.by_index_raw(at).unwrap();
        let name = file.name().unwrap().into_owned();
        let method = if name.ends_with(".gz") {
            CompressionMethod::Stored
        } else {
            CompressionMethod::Deflated
        };
        assert_eq!(file.compression(), method, "{name}");
        assert_eq!(file.unix_mode(), Some(0o100_644));
        assert_eq!(file.last_modified().unwrap().to_string(), "1980-01-01 00:00:00");
        assert_eq!(file.extra_data_fields().count(), 0);
        names.push(name);
    }
    let expected: Vec<&str> = Part::ALL.iter().map(|part| part.file_name()).collect();
    assert_eq!(names, expected);
}

#[test]
fn lb_a_bundle_reads_back_byte_for_byte() {
    let parts = sample();
    let bundle = Bundle::open("x", written(&parts)).unwrap();
    assert!(bundle.notes.is_empty());
    for (part, bytes) in &parts {
        let content = bundle.part(*part).unwrap();
        assert_eq!(&content.read().unwrap(), bytes, "{part:?}");
        assert_eq!(content.size(), bytes.len() as u64);
    }
    let quads = bundle.part(Part::FullDetail).unwrap().quads().unwrap();
    let lines: Vec<u64> = quads.map(|line| line.unwrap().line).collect();
    assert_eq!(lines, (1..=3000).collect::<Vec<u64>>());
}

#[test]
fn lb_the_pieces_in_which_a_part_is_written_do_not_show() {
    let text: String = (0..20_000)
        .map(|at| format!("line {at}, {}\n", at * 7919 % 1000))
        .collect();
    let pieces: PartWriter<'_> = Box::new(|out| {
        for line in text.split_inclusive('\n') {
            out.write_all(line.as_bytes()).map_err(OpError::from_write)?;
        }
        Ok(())
    });
    let mut out = Vec::new();
    write_bundle(&mut out, vec![(Part::Readme, pieces)]).unwrap();
    assert!(out == written(&[(Part::Readme, text.clone().into_bytes())]));
}

#[test]
fn lb_parts_may_be_missing_but_not_given_twice() {
    let bundle = Bundle::open("x", written(&sample()[..1])).unwrap();
    assert!(bundle.part(Part::Manifest).is_some() && bundle.part(Part::Acl).is_none());
    let twice = vec![(Part::Acl, writes(b"a")), (Part::Acl, writes(b"b"))];
    assert_eq!(
        write_bundle(&mut Vec::new(), twice).unwrap_err().kind,
        ErrorKind::Internal
    );
}

#[test]
fn lb_a_bundle_that_could_not_be_finished_does_not_look_like_one() {
    let fails: PartWriter<'_> = Box::new(|out| {
        out.write_all(&[b'x'; 100]).map_err(OpError::from_write)?;
        Err(OpError::new(ErrorKind::Cancelled, "stopped"))
    });
    let mut out = Vec::new();
    let parts = vec![(Part::Manifest, writes(b"{}")), (Part::SymbolIndex, fails)];
    assert_eq!(write_bundle(&mut out, parts).unwrap_err().kind, ErrorKind::Cancelled);
    assert!(refusal(out).starts_with("x.ccg.zip: not a readable zip archive"));
}

#[test]
fn lb_the_writer_holds_nothing() {
    /// Counts what is written, and the most that came at once.
    #[derive(Default)]
    struct Count {
        bytes: u64,
        largest: usize,
    }
    impl Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.bytes += bytes.len() as u64;
            self.largest = self.largest.max(bytes.len());
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let chunk = [7; 4096];
    let large: PartWriter<'_> = Box::new(|out| {
        for _ in 0..5000 {
            out.write_all(&chunk).map_err(OpError::from_write)?;
        }
        Ok(())
    });
    let mut count = Count::default();
    write_bundle(&mut count, vec![(Part::FullDetail, large)]).unwrap();
    assert!(count.bytes > 5000 * 4096 && count.largest <= 64 << 10);
}

#[test]
fn lb_what_is_no_archive_is_refused() {
    assert_eq!(refusal(Vec::new()), "x.ccg.zip: an empty file, not a zip archive");
    for bytes in [b"{}".to_vec(), vec![0; 100_000], gzip(b"text"), b"PK\x05\x06".to_vec()] {
        let reason = refusal(bytes);
        assert!(
            reason.starts_with("x.ccg.zip: not a readable zip archive: "),
            "{reason}"
        );
    }
    assert_eq!(
        refusal(archive(&[("other.txt", b"x")])),
        "x.ccg.zip: none of its entries is a part of a bundle"
    );
    assert_eq!(
        refusal(archive(&[])),
        "x.ccg.zip: none of its entries is a part of a bundle"
    );
}

#[test]
fn lb_names_that_lead_elsewhere_are_refused() {
    for (name, why) in [
        ("/etc/passwd", "its name is an absolute path"),
        ("../manifest.json", "its name leads out of the archive"),
        ("a/../../b", "its name leads out of the archive"),
        ("a/..", "its name leads out of the archive"),
        ("a\\b", "its name contains a backslash"),
        ("..\\b", "its name contains a backslash"),
        ("C:/b", "its name begins with a drive"),
        ("c:b", "its name begins with a drive"),
        ("a\0b", "its name contains a control character"),
        ("a//b", "its name is not a plain path"),
        ("./manifest.json", "its name is not a plain path"),
    ] {
        let reason = refusal(archive(&[("manifest.json", b"{}"), (name, b"x")]));
        let shown = excerpt(name, 80);
        assert_eq!(reason, format!("x.ccg.zip: entry `{shown}`: {why}"));
    }
}

#[test]
fn lb_other_files_are_noted_and_one_folder_is_looked_through() {
    let bundle = Bundle::open("x", archive(&[("manifest.json", b"{}"), ("notes/a.txt", b"x")])).unwrap();
    assert_eq!(bundle.notes, ["`notes/a.txt` is not a part of a bundle"]);
    let folder = archive(&[("r.ccg/manifest.json", b"{}"), ("r.ccg/acl.ttl", b"")]);
    let bundle = Bundle::open("x", folder).unwrap();
    assert_eq!(bundle.notes, ["the files are in the directory `r.ccg/`"]);
    assert!(bundle.part(Part::Manifest).is_some() && bundle.part(Part::Acl).is_some());
    assert!(
        Bundle::open("x", archive(&[("a/manifest.json", b"{}"), ("acl.ttl", b"")]))
            .unwrap()
            .part(Part::Manifest)
            .is_none()
    );
}

#[test]
fn lb_entries_of_the_same_name_are_refused() {
    // The writer refuses to make it, so one name becomes the other in the finished archive.
    let mut bytes = archive(&[("manifest.json", b"{}"), ("manifest.jsom", b"[]")]);
    while let Some(at) = bytes.windows(13).position(|found| found == b"manifest.jsom") {
        bytes[at + 12] = b'n';
    }
    assert_eq!(refusal(bytes), "x.ccg.zip: two entries have the same name");
}

#[test]
fn lb_links_and_encryption_are_refused() {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.add_symlink("manifest.json", "/etc/passwd", SimpleFileOptions::default())
        .unwrap();
    let reason = refusal(zip.finish().unwrap().into_inner());
    assert_eq!(reason, "x.ccg.zip: entry `manifest.json`: a symbolic link");

    let mut bytes = archive(&[("manifest.json", b"{}")]);
    for (header, flags) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let at = last(&bytes, header) + flags;
        bytes[at] |= 1;
    }
    assert_eq!(refusal(bytes), "x.ccg.zip: entry `manifest.json`: encrypted");
}

#[test]
fn lb_too_many_entries_are_refused() {
    let names: Vec<String> = (0..=ENTRIES).map(|at| format!("{at}.txt")).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), b"".as_slice())).collect();
    assert_eq!(
        refusal(archive(&entries)),
        "x.ccg.zip: 65 entries; a bundle has 6, and Lore reads at most 64"
    );

    // A directory of its own size class could name millions of them.
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for at in 0..70_000 {
        zip.start_file(
            format!("{at}"),
            SimpleFileOptions::default().compression_method(CompressionMethod::Stored),
        )
        .unwrap();
    }
    let reason = refusal(zip.finish().unwrap().into_inner());
    assert_eq!(reason, "x.ccg.zip: a zip64 archive, which Lore does not read");
}

#[test]
fn lb_what_is_too_large_is_refused_by_what_it_declares_and_by_what_it_is() {
    let large = vec![b' '; (1 << 20) + 1];
    let reason = refusal(archive(&[("manifest.json", &large)]));
    assert_eq!(
        reason,
        "x.ccg.zip: entry `manifest.json`: 1048577 bytes; Lore reads at most 1048576"
    );

    // The directory says that it is short.
    for declared in [10_u32, 1 << 20] {
        let mut bytes = archive(&[("manifest.json", &large)]);
        let at = last(&bytes, b"PK\x01\x02") + 24;
        bytes[at..at + 4].copy_from_slice(&declared.to_le_bytes());
        let bundle = Bundle::open("x.ccg.zip", bytes).unwrap();
        let reason = bundle.part(Part::Manifest).unwrap().read().unwrap_err().to_string();
        assert!(
            [
                "manifest.json: longer than the archive says",
                "manifest.json: unpacks to more than 1048576 bytes"
            ]
            .contains(&reason.as_str()),
            "{reason}"
        );
    }
}

#[test]
fn lb_a_wrong_checksum_is_refused() {
    for part in [Part::Manifest, Part::SymbolIndex] {
        let mut bytes = written(&sample());
        let name = last(&bytes, part.file_name().as_bytes());
        let at = name - 46 + 16;
        bytes[at] ^= 1;
        let bundle = Bundle::open("x", bytes).unwrap();
        let reason = bundle.part(part).unwrap().read().unwrap_err();
        assert!(reason.reason.starts_with("it is damaged: its CRC-32 is "), "{reason}");
        if part.is_quads() {
            let told = bundle.part(part).unwrap().quads().map(drop).unwrap_err();
            assert_eq!(told, reason, "it is told before any line is read");
        }
    }
}

#[test]
fn lb_an_archive_that_breaks_off_is_refused() {
    let bytes = written(&sample());
    for cut in [bytes.len() - 1, bytes.len() - 30, bytes.len() / 2, 10] {
        let reason = refusal(bytes[..cut].to_vec());
        assert!(
            reason.starts_with("x.ccg.zip: not a readable zip archive: "),
            "{reason}"
        );
    }
}

/// The faults of statements that are packed in some way.
fn faults(content: &PartContent) -> Vec<String> {
    let lines = match content.quads() {
        Ok(lines) => lines,
        Err(refusal) => return vec![refusal.reason],
    };
    lines.filter_map(Result::err).map(|fault| fault.to_string()).collect()
}

#[test]
fn lb_gzip_of_several_members_is_read_whole_and_a_broken_one_is_not() {
    let good = gzip(QUAD.as_bytes());
    let of = |bytes: Vec<u8>| PartContent::of_file(Part::SymbolIndex, "f.nq.gz", bytes);
    let two = of([good.clone(), good.clone()].concat());
    assert_eq!(two.quads().unwrap().filter(Result::is_ok).count(), 2);
    assert_eq!(faults(&two), Vec::<String>::new());
    assert_eq!(faults(&of(good[..good.len() - 4].to_vec())), ["2: is truncated"]);
    let mut wrong = good.clone();
    let at = wrong.len() - 8;
    wrong[at] ^= 1;
    assert_eq!(
        faults(&of(wrong)),
        ["it is damaged: corrupt gzip stream does not have a matching checksum"]
    );
    assert_eq!(
        faults(&of([good.as_slice(), b"garbage after it"].concat())),
        ["it is damaged: invalid gzip header"]
    );
    // Without gzip it is read all the same.
    assert_eq!(faults(&of(QUAD.as_bytes().to_vec())), Vec::<String>::new());
}

#[test]
fn lb_bombs_are_refused_while_they_unpack() {
    // Sixty-four megabytes of remarks in a few kilobytes of gzip.
    let remarks = [[b'#'; 1023].as_slice(), b"\n"].concat().repeat(64 << 10);
    let bomb = gzip(&remarks);
    assert!(bomb.len() < 200 << 10);
    let stored = written(&[(Part::SymbolIndex, bomb.clone())]);
    // Packed once more by the archive there is even less of it.
    let nested = archive(&[("symbol-index.nq.gz", &bomb)]);
    assert!(nested.len() < 20 << 10);
    for bytes in [stored, nested] {
        let bundle = Bundle::open("x", bytes).unwrap();
        let found = faults(bundle.part(Part::SymbolIndex).unwrap());
        assert_eq!(found.len(), 1);
        assert!(
            found[0].ends_with(": unpacks to more than 250 times its size"),
            "{found:?}"
        );
    }
    // What the archive itself packs is measured the same way.
    let zeros = archive(&[("full-detail.nq.gz", &vec![0; 64 << 20])]);
    let content = Bundle::open("x", zeros).unwrap();
    let reason = content.part(Part::FullDetail).unwrap().read().unwrap_err().to_string();
    assert_eq!(reason, "full-detail.nq.gz: unpacks to more than 250 times its size");
}

#[test]
fn lb_endless_nesting_is_never_followed() {
    let mut inner = archive(&[("manifest.json", b"{}")]);
    for _ in 0..20 {
        inner = archive(&[("bundle.ccg.zip", &inner)]);
    }
    assert_eq!(refusal(inner), "x.ccg.zip: none of its entries is a part of a bundle");
}

#[test]
fn lb_a_line_has_an_end() {
    let long = [b"<https://e.org/".as_slice(), &vec![b'x'; 3 << 20]].concat();
    let content = PartContent::of_file(Part::FullDetail, "f.nq.gz", gzip(&[QUAD.as_bytes(), &long].concat()));
    assert_eq!(faults(&content), ["2: the line is longer than 1048576 bytes"]);
    let fits = format!(
        "<https://e.org/s> <https://e.org/p> \"{}\" <https://e.org/g> .\n",
        "x".repeat((1 << 20) - 80)
    );
    assert_eq!(
        faults(&PartContent::of_file(Part::FullDetail, "f", fits.into_bytes())),
        Vec::<String>::new()
    );
}

#[test]
fn lv_every_line_that_is_no_statement_is_told_with_its_place() {
    let text = [
        "@prefix narsil: <https://narsilmcp.com/ontology/v1#> .",
        QUAD.trim(),
        "# a remark",
        "",
        "<https://e.org/s> a <https://e.org/o> .",
        "<https://e.org/s> <https://e.org/p> <https://e.org/o>",
        "<https://e.org/s> <https://e.org/p> <https://e.org/o> . # three terms are a statement",
        "<not an iri> <https://e.org/p> <https://e.org/o> .",
        "_:b <https://e.org/p> \"x\"@EN <https://e.org/g> .",
        "<https://e.org/s> <https://e.org/p> \"\\q\" .",
        "\u{feff}<https://e.org/s> <https://e.org/p> \"x\" .",
    ]
    .join("\n");
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(b"\n<https://e.org/s> <https://e.org/p> \"\xff\" .");
    let content = PartContent::of_file(Part::SymbolIndex, "f.nq", bytes);
    let read: Vec<Result<QuadLine, LineFault>> = content.quads().unwrap().collect();
    let good: Vec<u64> = read.iter().flatten().map(|line| line.line).collect();
    assert_eq!(good, [2, 7, 9]);
    let bad: Vec<u64> = read
        .iter()
        .filter_map(|line| line.as_ref().err())
        .map(|fault| fault.line)
        .collect();
    assert_eq!(bad, [1, 5, 6, 8, 10, 11, 12]);
    assert!(
        read.iter()
            .filter_map(|line| line.as_ref().err())
            .all(|fault| !fault.fatal && !fault.message.is_empty())
    );
}

#[test]
fn lb_the_bytes_of_a_bundle_are_always_these() {
    use sha2::{Digest, Sha256};
    let digest: String = Sha256::digest(written(&sample()))
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(
        digest,
        "c0e21f3487cb271570b360813afbc1603ba8a65b79a9cb52ac8b6cdb6e9b99c7"
    );
}

#[test]
fn lb_a_part_is_read_in_pieces_of_any_size() {
    let bundle = Bundle::open("x", written(&sample())).unwrap();
    let mut reader = bundle.part(Part::Manifest).unwrap().reader();
    let mut one = [0; 1];
    let mut read = Vec::new();
    while reader.read(&mut one).unwrap() == 1 {
        read.push(one[0]);
    }
    assert_eq!(read, sample()[0].1);
}
