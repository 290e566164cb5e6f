//! What goes wrong on the wire, byte by byte.

use super::scripts::under;
use super::*;

#[tokio::test]
async fn scripted_codings_and_framings() {
    let (bytes, ..) = under("coding = \"gzip_members\"").await;
    let members = Reply::parse(&bytes).unwrap().rest;
    let mut first = String::new();
    flate2::read::GzDecoder::new(&members[..])
        .read_to_string(&mut first)
        .unwrap();
    assert_eq!(first, "01234", "the first member holds half");

    let (bytes, ..) = under("coding = \"gzip_cut\"").await;
    let cut = Reply::parse(&bytes).unwrap().rest;
    let opened = flate2::read::GzDecoder::new(&cut[..]).read_to_end(&mut Vec::new());
    assert!(opened.is_err());

    let (bytes, _, seen) = under("coding = \"gzip_bomb\"\nopens_to = 300000").await;
    let bomb = Reply::parse(&bytes).unwrap();
    assert!(bomb.rest.len() < 2000 && bomb.body().len() == 300_000);
    assert_eq!(seen.fault.as_deref(), Some("gzip_bomb"));

    let (bytes, ..) = under("coding = \"gzip_twice\"").await;
    let twice = Reply::parse(&bytes).unwrap();
    assert_eq!(
        twice.header("content-encoding").as_deref(),
        Some("gzip, gzip")
    );

    let (bytes, ..) = under("framing = \"chunked\"").await;
    let chunked = Reply::parse(&bytes).unwrap();
    assert_eq!(chunked.header("content-length"), None);
    assert_eq!(chunked.rest, b"a\r\n0123456789\r\n0\r\n\r\n");

    let (bytes, ..) = under("framing = \"close\"").await;
    let closed = Reply::parse(&bytes).unwrap();
    assert_eq!(closed.header("content-length"), None);
    assert_eq!(closed.rest, b"0123456789");
}

#[tokio::test]
async fn faults_on_the_wire() {
    let (bytes, end, seen) = under("fault = { kind = \"silence\", for_ms = 50 }").await;
    assert!(bytes.is_empty() && end.is_ok() && seen.status.is_none());
    assert!(seen.end_ms - seen.at_ms >= 50 && seen.fault.as_deref() == Some("silence"));

    let (bytes, end, seen) = under("fault = { kind = \"hang_up\" }").await;
    assert!(bytes.is_empty() && end.is_ok() && seen.status.is_none());

    let (bytes, end, _) = under("fault = { kind = \"reset\" }").await;
    assert!(bytes.is_empty());
    assert_eq!(end.unwrap_err().kind(), std::io::ErrorKind::ConnectionReset);

    let (bytes, end, _) = under("fault = { kind = \"reset\", send = 20 }").await;
    assert_eq!(bytes.len(), 20);
    assert_eq!(end.unwrap_err().kind(), std::io::ErrorKind::ConnectionReset);

    let (bytes, end, _) = under("fault = { kind = \"truncate\" }").await;
    let cut = Reply::parse(&bytes).unwrap();
    assert_eq!(
        (cut.header("content-length").as_deref(), &cut.rest[..]),
        (Some("10"), &b"01234"[..])
    );
    assert!(end.is_ok(), "a quiet end, not a reset");

    let (bytes, ..) = under("fault = { kind = \"truncate\", send = 99 }").await;
    let cut = Reply::parse(&bytes).unwrap();
    assert_eq!(
        (cut.header("content-length").as_deref(), cut.rest.len()),
        (Some("11"), 10)
    );

    let (bytes, ..) = under("fault = { kind = \"bad_chunk\" }").await;
    assert_eq!(
        Reply::parse(&bytes).unwrap().rest,
        b"5\r\n01234\r\ntwelve or so\r\nmore of the same\r\n"
    );

    let (bytes, ..) = under("fault = { kind = \"cut_chunks\" }").await;
    assert_eq!(Reply::parse(&bytes).unwrap().rest, b"5\r\n01234\r\n");

    let (bytes, ..) = under("fault = { kind = \"header_line\" }").await;
    assert!(Reply::parse(&bytes).is_none());
    assert!(String::from_utf8_lossy(&bytes).contains("\r\nthis line has no colon\r\n"));

    let (bytes, ..) = under("fault = { kind = \"status_line\", line = \"HTP/1 ok\" }").await;
    assert!(bytes.starts_with(b"HTP/1 ok\r\n"));

    let (bytes, ..) = under("fault = { kind = \"surplus\", text = \"!!\" }").await;
    let long = Reply::parse(&bytes).unwrap();
    assert_eq!(
        (long.header("content-length").as_deref(), &long.rest[..]),
        (Some("10"), &b"0123456789!!"[..])
    );

    let (bytes, _, seen) = under("fault = { kind = \"drip\", every_ms = 10, for_ms = 100 }").await;
    let drops = Reply::parse(&bytes).unwrap().rest;
    assert!(drops.starts_with(b"1\r\n.\r\n1\r\n.\r\n") && !drops.ends_with(b"0\r\n\r\n"));
    assert!(seen.end_ms - seen.at_ms >= 100);
}
