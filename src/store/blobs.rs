//! Bodies by SHA-256, kept once however many hosts serve them (KP1).

use std::io::Read;

use rusqlite::{Connection, OptionalExtension, params};
use sha2::{Digest, Sha256};

use super::StoreError;
use super::pack::{count, damaged, hex, uncount};

/// Measured: level 1 more than halves agent files; higher levels cost more than they save.
const ZSTD_LEVEL: i32 = 1;

/// Compresses bodies, with one working memory for all of them: setting it up anew costs about as
/// much as a small body.
#[derive(Default)]
pub(super) struct Packer(Option<zstd::bulk::Compressor<'static>>);

impl Packer {
    /// The body compressed; none if that makes it no smaller.
    fn pack(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        if self.0.is_none() {
            self.0 = zstd::bulk::Compressor::new(ZSTD_LEVEL).ok();
        }
        let packed = self.0.as_mut()?.compress(bytes).ok()?;
        (packed.len() < bytes.len()).then_some(packed)
    }
}

/// The id of the body with this digest.
pub(super) fn find(conn: &Connection, sha256: &[u8; 32]) -> Result<Option<i64>, StoreError> {
    Ok(conn
        .prepare_cached("SELECT id FROM blobs WHERE sha256 = ?1")?
        .query_row([sha256], |row| row.get(0))
        .optional()?)
}

/// Keeps a body and returns its id. The caller refers to it in the same transaction; the schema
/// counts references and deletes the body with the last one.
pub(super) fn keep(
    conn: &Connection,
    packer: &mut Packer,
    bytes: &[u8],
    sha256: &[u8; 32],
) -> Result<i64, StoreError> {
    if let Some(id) = find(conn, sha256)? {
        return Ok(id);
    }
    let id = conn
        .prepare_cached("INSERT INTO blobs (sha256, refs, bytes) VALUES (?1, 0, ?2)")?
        .insert(params![sha256, count(bytes.len() as u64)])?;
    let packed = packer.pack(bytes);
    conn.prepare_cached("INSERT INTO bodies (blob, zstd, data) VALUES (?1, ?2, ?3)")?
        .execute(params![
            id,
            packed.is_some(),
            packed.as_deref().unwrap_or(bytes)
        ])?;
    Ok(id)
}

/// Reads a body back; bytes that are not those of the digest are never handed out.
pub(super) fn read(conn: &Connection, id: i64) -> Result<Vec<u8>, StoreError> {
    let row = conn
        .prepare_cached(
            "SELECT b.sha256, b.bytes, d.zstd, d.data FROM blobs b JOIN bodies d ON d.blob = b.id
             WHERE b.id = ?1",
        )?
        .query_row([id], |row| {
            let sha256: Vec<u8> = row.get(0)?;
            let size: i64 = row.get(1)?;
            let data: Vec<u8> = row.get(3)?;
            Ok((sha256, size, row.get::<_, bool>(2)?, data))
        })
        .optional()?;
    let (sha256, size, packed, data) =
        row.ok_or_else(|| damaged(format!("body {id} is referred to and not there")))?;
    let wrong = |why: &str| damaged(format!("the body with SHA-256 {} {why}", hex(&sha256)));
    let bytes = if packed {
        unpack(&data, uncount(size)).map_err(|_| wrong("cannot be decompressed"))?
    } else {
        data
    };
    if bytes.len() as u64 != uncount(size) || Sha256::digest(&bytes).as_slice() != sha256.as_slice()
    {
        return Err(wrong("has other bytes"));
    }
    Ok(bytes)
}

/// Never more than one byte over the size expected, whatever a damaged frame says.
fn unpack(data: &[u8], size: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    zstd::stream::read::Decoder::new(data)?
        .take(size.saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}
