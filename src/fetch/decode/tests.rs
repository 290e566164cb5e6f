//! Whole, cut, mangled and layered streams, in pieces of every size.

use proptest::prelude::*;

use super::*;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let params = brotli::enc::BrotliEncoderParams::default();
    brotli::BrotliCompress(&mut &bytes[..], &mut out, &params).unwrap();
    out
}

/// Decodes in chunks of a size; the result and the note.
fn decode(
    coding: &str,
    wire: &[u8],
    chunk: usize,
) -> Result<(Vec<u8>, Option<String>), DecodeError> {
    let mut decoder = Decoder::new(coding)?;
    let mut out = Vec::new();
    for part in wire.chunks(chunk.max(1)) {
        let _ = decoder.push(part, &mut |bytes| {
            out.extend_from_slice(bytes);
            ControlFlow::Continue(())
        })?;
    }
    let note = decoder.finish(&mut |bytes| {
        out.extend_from_slice(bytes);
        ControlFlow::Continue(())
    })?;
    Ok((out, note))
}

#[test]
fn codings_are_named_without_regard_to_case_and_undone_last_first() {
    let text = b"User-agent: *\nDisallow: /private\n";
    for (coding, wire) in [
        ("", text.to_vec()),
        ("identity", text.to_vec()),
        ("gzip", gzip(text)),
        ("GZIP", gzip(text)),
        ("x-gzip", gzip(text)),
        ("Br", brotli(text)),
        ("gzip, br", brotli(&gzip(text))),
        ("br ,\tgzip", gzip(&brotli(text))),
        ("gzip,gzip", gzip(&gzip(text))),
        ("gzip, identity, gzip", gzip(&gzip(text))),
    ] {
        for chunk in [1, 2, 7, 1 << 20] {
            let decoded = decode(coding, &wire, chunk);
            assert_eq!(decoded, Ok((text.to_vec(), None)), "{coding} by {chunk}");
        }
    }
}

#[test]
fn what_was_not_offered_is_refused() {
    for coding in [
        "deflate",
        "zstd",
        "gzip, zstd",
        "compress",
        "gzip;q=1",
        "aws-chunked",
    ] {
        assert!(
            matches!(Decoder::new(coding), Err(DecodeError::Unknown(_))),
            "{coding}"
        );
    }
    let three = Decoder::new("gzip, gzip, br").map(|_| ());
    assert_eq!(three, Err(DecodeError::Layers(3)));
}

#[test]
fn every_gzip_member_is_read_and_what_follows_is_noted() {
    let two = [gzip(b"first\n"), gzip(b""), gzip(b"second\n")].concat();
    for chunk in [1, 3, 1 << 20] {
        assert_eq!(
            decode("gzip", &two, chunk),
            Ok((b"first\nsecond\n".to_vec(), None))
        );
        for junk in [&b"\0\0\0\0\0"[..], b"\x1f", b"junk\x1f\x8b", b"\n"] {
            let (text, note) = decode("gzip", &[&two, junk].concat(), chunk).unwrap();
            assert_eq!(text, b"first\nsecond\n");
            let words = format!("{} bytes after the gzip data were ignored", junk.len());
            assert_eq!(note, Some(words));
        }
    }
}

#[test]
fn a_cut_or_damaged_stream_never_passes() {
    let text = b"some text that is long enough to be cut anywhere, anywhere at all";
    for (coding, wire) in [
        ("gzip", gzip(text)),
        ("gzip", [gzip(text), gzip(text)].concat()),
        ("br", brotli(text)),
    ] {
        for length in 0..wire.len() {
            let cut = decode(coding, &wire[..length], 5);
            let first_member = coding == "gzip" && length >= gzip(text).len();
            let whole_member = first_member && length <= gzip(text).len() + 1;
            assert_eq!(
                cut.is_ok(),
                whole_member,
                "{coding} cut at {length}: {cut:?}"
            );
        }
    }
    let mut damaged = gzip(text);
    let crc = damaged.len() - 6;
    damaged[crc] ^= 1;
    assert_eq!(decode("gzip", &damaged, 9), Err(GZIP_CORRUPT));
    assert_eq!(decode("gzip", b"plain text", 4), Err(GZIP_CORRUPT));
    assert!(decode("br", b"plain text", 4).is_err());
}

#[test]
fn a_bomb_is_left_as_soon_as_the_sink_is_full() {
    let zeros = vec![0; 20_000_000];
    for (coding, wire) in [("gzip", gzip(&zeros)), ("br", brotli(&zeros))] {
        let mut decoder = Decoder::new(coding).unwrap();
        let mut seen = 0;
        let flow = decoder
            .push(&wire, &mut |bytes| {
                seen += bytes.len();
                assert!(
                    bytes.len() <= 256 * 1024,
                    "{coding} handed on {}",
                    bytes.len()
                );
                match seen > 100_000 {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            })
            .unwrap();
        assert!(flow.is_break());
        assert!(seen < 500_000, "{coding} decoded {seen} bytes too many");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_come_back_exactly(
        bytes in proptest::collection::vec(any::<u8>(), 0..5_000),
        chunk in 1_usize..600,
        coding in proptest::sample::select(vec!["gzip", "br", "gzip, br", "br, gzip"]),
    ) {
        let mut wire = bytes.clone();
        for token in coding.split(", ") {
            wire = if token == "br" { brotli(&wire) } else { gzip(&wire) };
        }
        prop_assert_eq!(decode(coding, &wire, chunk), Ok((bytes, None)));
    }

    #[test]
    fn hostile_bytes_never_panic(
        wire in proptest::collection::vec(any::<u8>(), 0..400),
        coding in proptest::sample::select(vec!["gzip", "br", "br, gzip"]),
    ) {
        let _ = decode(coding, &wire, 16);
        let _ = decode(coding, &[&[0x1f, 0x8b, 8, 0][..], &wire].concat(), 16);
    }
}
