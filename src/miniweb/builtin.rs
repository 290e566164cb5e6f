//! The built-in sites, one file each in `assets/demo/sites`.

macro_rules! sites {
    ($($host:literal),* $(,)?) => {
        &[$(($host, include_str!(concat!("../../assets/demo/sites/", $host, ".toml")))),*]
    };
}

/// Host and text of each, in order of name. A test holds this against the folder.
pub(super) const SITES: &[(&str, &str)] = sites![
    "api.alder.test",
    "api.cedar.test",
    "aspen.test",
    "birch.test",
    "cherry.test",
    "docs.alder.test",
    "dogwood.test",
    "elm.test",
    "fern.test",
    "fig.test",
    "ginkgo.test",
    "hawthorn.test",
    "ivy.test",
    "juniper.test",
    "larch.test",
    "maple.test",
    "nettle.test",
    "oak.test",
    "pine.test",
    "quince.test",
    "reed.test",
    "shop.bramble.test",
    "thistle.test",
    "umbel.test",
    "willow.test",
    "www.alder.test",
    "www.juniper.test",
    "xn--lbaum-iua.test",
    "yew.test",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_site_of_the_folder_is_built_in() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/demo/sites");
        let mut stored: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        stored.sort();
        let mut listed: Vec<String> = SITES
            .iter()
            .map(|(host, _)| format!("{host}.toml"))
            .collect();
        listed.sort();
        assert_eq!(listed, stored);
    }

    #[test]
    fn every_site_says_what_it_shows() {
        for (host, text) in SITES {
            assert!(text.starts_with("about = \""), "{host}");
            crate::miniweb::bundle::site(text, host).unwrap_or_else(|error| panic!("{error}"));
        }
    }

    #[test]
    fn json_of_the_demo_is_json() {
        let mut checked = 0;
        for (host, text) in SITES {
            let site: toml::Table = toml::from_str(text).unwrap();
            let files = site.get("file").and_then(toml::Value::as_array);
            for file in files.into_iter().flatten() {
                let path = file["path"].as_str().unwrap();
                if !path.starts_with("/.well-known/") && !path.ends_with(".json") {
                    continue;
                }
                let json = file["text"].as_str().unwrap();
                let parsed = serde_json::from_str::<serde_json::Value>(json);
                assert!(parsed.is_ok_and(|value| value.is_object()), "{host}{path}");
                checked += 1;
            }
        }
        assert!(checked > 30, "{checked}");
    }
}
