//! The one TLS set-up that all visits of a run share.

use std::path::Path;
use std::sync::Arc;

use rustls::client::Resumption;
use rustls::{ClientConfig, RootCertStore};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;

use super::WebError;

/// Trusts the roots of the web.
pub(crate) fn of_the_web() -> Result<ClientConfig, WebError> {
    let roots = webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect();
    config(roots)
}

/// Trusts the certificates of one PEM file and nothing else; nothing at all without a file.
pub(crate) fn of_one_ca(ca: Option<&Path>) -> Result<ClientConfig, WebError> {
    let mut roots = RootCertStore::empty();
    if let Some(path) = ca {
        let fail = |problem: String| WebError::Ca {
            path: path.display().to_string(),
            problem,
        };
        let found = CertificateDer::pem_file_iter(path).map_err(|e| fail(e.to_string()))?;
        for certificate in found {
            let certificate = certificate.map_err(|e| fail(e.to_string()))?;
            roots.add(certificate).map_err(|e| fail(e.to_string()))?;
        }
        if roots.is_empty() {
            return Err(fail("it holds none".to_owned()));
        }
    }
    config(roots)
}

fn config(roots: RootCertStore) -> Result<ClientConfig, WebError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| WebError::Setup(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    // A ticket kept between visits would let a server recognise us, as a cookie does (AS7).
    config.resumption = Resumption::disabled();
    Ok(config)
}
