//! Content codings: which one a client may get, and the coded bytes, good and bad.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

/// Bodies under this many bytes are not worth coding.
pub(super) const SMALLEST: usize = 256;

/// A content coding in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    Gzip,
    Brotli,
}

impl Coding {
    /// Token of the `Content-Encoding` header.
    pub(super) fn token(self) -> &'static str {
        match self {
            Coding::Gzip => "gzip",
            Coding::Brotli => "br",
        }
    }

    /// What marks the entity tag of this coded form: a strong tag names one sequence of bytes.
    pub(super) fn tag_suffix(self) -> &'static str {
        match self {
            Coding::Gzip => "-gz",
            Coding::Brotli => "-br",
        }
    }

    /// The coded bytes.
    pub(super) fn encode(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Coding::Gzip => gzip(bytes),
            Coding::Brotli => brotli(bytes),
        }
    }
}

/// The codings a client accepts, the one it wants most first; brotli before gzip where it does not care.
pub(super) fn accepted(accept_encoding: Option<&str>) -> Vec<Coding> {
    let Some(text) = accept_encoding else {
        return Vec::new();
    };
    let mut wanted: Vec<(Coding, f32)> = [Coding::Brotli, Coding::Gzip]
        .into_iter()
        .map(|coding| (coding, quality(text, coding)))
        .filter(|(_, quality)| *quality > 0.0)
        .collect();
    wanted.sort_by(|a, b| b.1.total_cmp(&a.1));
    wanted.into_iter().map(|(coding, _)| coding).collect()
}

fn quality(text: &str, coding: Coding) -> f32 {
    let mut any = 0.0;
    for item in text.split(',') {
        let mut parts = item.split(';').map(str::trim);
        let token = parts.next().unwrap_or_default();
        let quality = parts
            .find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")))
            .map_or(1.0, |q| q.trim().parse().unwrap_or(0.0));
        if token.eq_ignore_ascii_case(coding.token())
            || (coding == Coding::Gzip && token.eq_ignore_ascii_case("x-gzip"))
        {
            return quality;
        }
        if token == "*" {
            any = quality;
        }
    }
    any
}

/// One gzip member.
pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // Writing into memory does not fail; were it to, the short member is the fault to be seen.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// Two gzip members, one for each half (RFC 1952 §2.2 allows any number).
pub(super) fn gzip_members(bytes: &[u8]) -> Vec<u8> {
    let (first, second) = bytes.split_at(bytes.len() / 2);
    let mut coded = gzip(first);
    coded.extend(gzip(second));
    coded
}

/// A gzip member whose last third is missing.
pub(super) fn gzip_cut(bytes: &[u8]) -> Vec<u8> {
    let mut coded = gzip(bytes);
    coded.truncate(coded.len() * 2 / 3);
    coded
}

/// One brotli stream.
pub(super) fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut coded = Vec::new();
    {
        let mut writer = brotli::CompressorWriter::new(&mut coded, 4096, 5, 22);
        let _ = writer.write_all(bytes);
    }
    coded
}

/// `size` spaces, coded: small on the wire, large when opened.
pub(super) fn bomb(coding: Coding, size: u64) -> Vec<u8> {
    let piece = [b' '; 16 * 1024];
    let pieces = std::iter::repeat_n(&piece[..], usize::try_from(size / 16_384).unwrap_or(0));
    let rest = &piece[..usize::try_from(size % 16_384).unwrap_or(0)];
    let all = pieces.chain(std::iter::once(rest));
    match coding {
        Coding::Gzip => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            for part in all {
                let _ = encoder.write_all(part);
            }
            encoder.finish().unwrap_or_default()
        }
        Coding::Brotli => {
            let mut coded = Vec::new();
            {
                let mut writer = brotli::CompressorWriter::new(&mut coded, 4096, 5, 22);
                for part in all {
                    let _ = writer.write_all(part);
                }
            }
            coded
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn what_a_client_accepts() {
        use Coding::{Brotli, Gzip};
        for (header, expected) in [
            (None, vec![]),
            (Some(""), vec![]),
            (Some("gzip"), vec![Gzip]),
            (Some("x-gzip"), vec![Gzip]),
            (Some("gzip, br"), vec![Brotli, Gzip]),
            (Some("GZIP;q=1.0, br;q=0.5"), vec![Gzip, Brotli]),
            (Some("br;q=0, gzip"), vec![Gzip]),
            (Some("*"), vec![Brotli, Gzip]),
            (Some("*;q=0"), vec![]),
            (Some("*, br;q=0"), vec![Gzip]),
            (Some("identity, deflate"), vec![]),
            (Some("gzip;q=oops"), vec![]),
        ] {
            assert_eq!(accepted(header), expected, "{header:?}");
        }
    }

    #[test]
    fn bombs_open_to_their_size() {
        let size = 100_001;
        let mut opened = Vec::new();
        flate2::read::GzDecoder::new(&bomb(Coding::Gzip, size)[..])
            .read_to_end(&mut opened)
            .unwrap();
        assert_eq!(opened.len(), 100_001);
        opened.clear();
        brotli::Decompressor::new(&bomb(Coding::Brotli, size)[..], 4096)
            .read_to_end(&mut opened)
            .unwrap();
        assert_eq!(opened.len(), 100_001);
    }
}
