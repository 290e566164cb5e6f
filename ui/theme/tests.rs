use super::colour::{drawn, of_number};
use super::source::names;
use super::*;

const STAGES: [Stage; 4] = [Stage::None, Stage::Sixteen, Stage::TwoFiftySix, Stage::Rgb];

fn source(name: &str) -> Source {
    Source::load(name).unwrap_or_else(|error| panic!("{error}"))
}

/// A theme as it is drawn at a stage: foreground and what it stands on.
fn pair(source: &Source, stage: Stage, role: Role) -> Option<(Rgb, Rgb)> {
    let fit = Fit { source, stage };
    let look = source.look(role);
    let fg = drawn(look.fg, stage, fit.readable(role))?;
    let bg = drawn(look.bg, stage, None).or_else(|| drawn(source.background, stage, None))?;
    Some((fg, bg))
}

#[test]
fn every_role_has_its_place_and_its_word() {
    for (at, role) in Role::ALL.into_iter().enumerate() {
        assert_eq!(role as usize, at);
        let twice = Role::ALL.iter().filter(|other| other.word() == role.word());
        assert_eq!(twice.count(), 1, "{role:?}");
    }
}

#[test]
fn text_keeps_its_contrast_at_every_stage() {
    for name in ["dark", "light", "colour-blind", "high-contrast"] {
        let source = source(name);
        for stage in [Stage::Sixteen, Stage::TwoFiftySix, Stage::Rgb] {
            for role in Role::ALL {
                let (fg, bg) = pair(&source, stage, role)
                    .unwrap_or_else(|| panic!("{name} leaves out {}", role.word()));
                let strict = name == "high-contrast" && stage != Stage::Sixteen;
                let least = match role {
                    _ if strict => 7.0,
                    // Not text (WCAG 1.4.11).
                    Role::Border => 3.0,
                    _ if stage == Stage::Sixteen => 4.4,
                    _ => 4.5,
                };
                let ratio = fg.contrast(bg);
                let word = role.word();
                assert!(
                    ratio >= least,
                    "{name} {stage:?} {word}: {ratio:.2} {fg:?} on {bg:?}"
                );
            }
        }
    }
    assert!((Rgb(0, 0, 0).contrast(Rgb(255, 255, 255)) - 21.0).abs() < 1e-9);
    assert!((Rgb(0x76, 0x76, 0x76).contrast(Rgb(255, 255, 255)) - 4.54).abs() < 0.01);
}

#[test]
fn attributes_survive_at_every_stage_and_in_every_theme() {
    for name in names() {
        for stage in STAGES {
            let theme = Theme::fitted(&source(name), stage, &UNICODE);
            for role in Role::ALL {
                let style = theme.style(role);
                assert!(
                    style.add_modifier.contains(role.attributes()),
                    "{name} {role:?}"
                );
                assert!(style.sub_modifier.is_empty());
                if stage == Stage::None || name == "mono" {
                    assert_eq!((style.fg, style.bg), (None, None), "{name} {role:?}");
                    assert_eq!(theme.ground(), Style::new());
                }
            }
        }
    }
}

#[test]
fn facts_differ_without_colours() {
    let theme = Theme::fitted(&source("mono"), Stage::None, &ASCII);
    let told = |role: Role| theme.style(role);
    // Well and waiting are told by lamps and words; everything that calls for a look is told twice.
    let calls = [
        Role::Told,
        Role::Bad,
        Role::Alarm,
        Role::Selected,
        Role::Label,
        Role::Match,
    ];
    for role in calls
        .into_iter()
        .chain([Role::Focus, Role::Disabled, Role::Link, Role::Input])
    {
        assert_ne!(told(role), told(Role::Plain), "{role:?}");
    }
    let together = [
        vec![
            Role::Plain,
            Role::Added,
            Role::Removed,
            Role::Changed,
            Role::Match,
            Role::Escape,
        ],
        vec![Role::Good, Role::Told, Role::Bad, Role::Alarm],
        vec![Role::Border, Role::Focus],
        vec![Role::Input, Role::Placeholder],
        vec![Role::Plain, Role::Disabled, Role::Key],
    ];
    for group in together {
        for (at, one) in group.iter().enumerate() {
            for other in &group[at + 1..] {
                assert_ne!(told(*one), told(*other), "{one:?} {other:?}");
            }
        }
    }
}

/// What a colour looks like to an eye without one kind of cone (Machado, Oliveira, Fernandes 2009;
/// severity 1), in linear light.
fn seen(rgb: Rgb, matrix: [[f64; 3]; 3]) -> [f64; 3] {
    let linear = [rgb.0, rgb.1, rgb.2].map(|part| (f64::from(part) / 255.0).powf(2.2));
    matrix.map(|row| {
        let sum: f64 = row
            .iter()
            .zip(linear)
            .map(|(weight, part)| weight * part)
            .sum();
        sum.clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0
    })
}

#[test]
fn blue_and_orange_are_told_apart_by_every_eye() {
    let protan = [
        [0.152_286, 1.052_583, -0.204_868],
        [0.114_503, 0.786_281, 0.099_216],
        [-0.003_882, -0.048_116, 1.051_998],
    ];
    let deutan = [
        [0.367_322, 0.860_646, -0.227_968],
        [0.280_085, 0.672_501, 0.047_413],
        [-0.011_820, 0.042_940, 0.968_881],
    ];
    let source = source("colour-blind");
    let groups = [
        [Role::Good, Role::Told, Role::Bad],
        [Role::Added, Role::Removed, Role::Changed],
    ];
    for stage in [Stage::TwoFiftySix, Stage::Rgb] {
        for (group, eye) in groups
            .iter()
            .flat_map(|group| [(group, protan), (group, deutan)])
        {
            for (at, one) in group.iter().enumerate() {
                for other in &group[at + 1..] {
                    let of = |role| seen(pair(&source, stage, role).unwrap().0, eye);
                    let apart: f64 = of(*one)
                        .iter()
                        .zip(of(*other))
                        .map(|(a, b)| (a - b).powi(2))
                        .sum();
                    assert!(apart.sqrt() >= 40.0, "{stage:?} {one:?} {other:?}: {apart}");
                }
            }
        }
    }
}

#[test]
fn colours_go_down_to_the_nearest_there_is() {
    let theme = |name: &str, stage| Theme::fitted(&source(name), stage, &UNICODE);
    let dark = theme("dark", Stage::Rgb);
    assert_eq!(dark.style(Role::Bad).fg, Some(Color::Rgb(0xff, 0x8e, 0x86)));
    assert_eq!(dark.ground().bg, Some(Color::Rgb(0x14, 0x17, 0x1c)));
    assert_eq!(dark.style(Role::Plain).fg, None);
    let cube = theme("dark", Stage::TwoFiftySix);
    for role in Role::ALL {
        let fg = cube.style(role).fg;
        assert!(
            matches!(fg, None | Some(Color::Indexed(16..))),
            "{role:?} {fg:?}"
        );
    }
    assert_eq!(of_number(196), Rgb(255, 0, 0));
    assert_eq!(of_number(255), Rgb(238, 238, 238));
    let sixteen = theme("dark", Stage::Sixteen);
    assert_eq!(sixteen.ground().bg, Some(Color::Black));
    assert_eq!(sixteen.style(Role::Bad).fg, Some(Color::LightRed));
    for (role, colour) in [
        (Role::Good, Color::LightBlue),
        (Role::Wait, Color::Cyan),
        (Role::Told, Color::Yellow),
        (Role::Dim, Color::DarkGray),
        (Role::Escape, Color::Magenta),
    ] {
        assert_eq!(sixteen.style(role).fg, Some(colour), "{role:?}");
    }
    let light = theme("light", Stage::Sixteen);
    assert_eq!(light.ground().bg, Some(Color::White));
    assert_eq!(light.style(Role::Bad).fg, Some(Color::Red));
    // Every number of the cube and the greys is its own nearest.
    for number in 16..=255u8 {
        let exact = Ink::Exact(of_number(number));
        assert_eq!(
            drawn(exact, Stage::TwoFiftySix, None),
            Some(of_number(number))
        );
    }
}

#[test]
fn the_environment_says_how_many_colours() {
    let of = |pairs: &[(&str, &str)]| {
        terminal::stage(|name| {
            let found = pairs.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    };
    let cases: [(&[(&str, &str)], Stage); 15] = [
        (&[], Stage::Sixteen),
        (&[("TERM", "xterm")], Stage::Sixteen),
        (&[("TERM", "linux")], Stage::Sixteen),
        (&[("TERM", "xterm-256color")], Stage::TwoFiftySix),
        (
            &[("TERM", "tmux-256color"), ("TMUX", "/tmp/x")],
            Stage::TwoFiftySix,
        ),
        (
            &[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")],
            Stage::Rgb,
        ),
        (&[("TERM", "xterm"), ("COLORTERM", "24bit")], Stage::Rgb),
        (&[("TERM", "xterm-kitty")], Stage::Rgb),
        (&[("TERM", "xterm-direct")], Stage::Rgb),
        (
            &[
                ("TERM", "screen"),
                ("COLORTERM", "truecolor"),
                ("STY", "1.a"),
            ],
            Stage::TwoFiftySix,
        ),
        (&[("TERM", "dumb"), ("COLORTERM", "truecolor")], Stage::None),
        (&[("TERM", "vt100")], Stage::None),
        (&[("TERM", "xterm-mono")], Stage::None),
        (&[("TERM", "xterm-kitty"), ("NO_COLOR", "1")], Stage::None),
        (&[("TERM", "xterm-kitty"), ("NO_COLOR", "")], Stage::Rgb),
    ];
    for (pairs, stage) in cases {
        assert_eq!(of(pairs), stage, "{pairs:?}");
    }
}

#[test]
fn a_users_file_changes_parts_of_a_theme() {
    let text = "base = \"dark\"\nbackground = \"#000000\"\n[roles]\nbad = \"bright-red\"\n\
                told = { bg = \"#402000\", add = [\"underline\"] }\ngood = \"default\"\n";
    let (mine, dark) = (Source::parse(text, "mine.toml").unwrap(), source("dark"));
    assert_eq!(mine.background, Ink::Exact(Rgb(0, 0, 0)));
    assert_eq!(mine.look(Role::Bad).fg, Ink::Named(9));
    assert_eq!(mine.look(Role::Told).fg, dark.look(Role::Told).fg);
    assert_eq!(mine.look(Role::Told).bg, Ink::Exact(Rgb(0x40, 0x20, 0)));
    assert_eq!(mine.look(Role::Link), dark.look(Role::Link));
    let theme = Theme::fitted(&mine, Stage::Rgb, &UNICODE);
    assert!(
        theme
            .style(Role::Told)
            .add_modifier
            .contains(Modifier::UNDERLINED | Modifier::BOLD)
    );
    assert_eq!(theme.style(Role::Good).fg, None);

    let little = Source::parse("[roles]\nbad = \"red\"", "mine.toml").unwrap();
    assert_eq!(
        little.look(Role::Good),
        dark.look(Role::Good),
        "the usual base"
    );
    assert_eq!(little.look(Role::Bad).fg, Ink::Named(1));

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, text).unwrap();
    assert_eq!(Source::load(path.to_str().unwrap()), Ok(mine));
    std::fs::write(&path, "# ".repeat(40_000)).unwrap();
    assert!(matches!(
        Source::load(path.to_str().unwrap()),
        Err(ThemeError::Unread { .. })
    ));
}

#[test]
fn a_mistake_names_file_line_and_remedy() {
    let cases = [
        (
            "base = \"drak\"",
            "mine.toml, line 1: no theme has this name; write dark",
        ),
        (
            "base = 3",
            "mine.toml, line 1: no theme has this name; use one of dark, light, colour-blind, high-contrast, mono, terminal",
        ),
        (
            "\nbackgrund = \"#000000\"",
            "mine.toml, line 2: no key is called backgrund; write background",
        ),
        (
            "[roles]\n\nlinks = \"blue\"",
            "mine.toml, line 3: no role is called links; write link",
        ),
        (
            "[roles]\nbad = \"#12345\"",
            "mine.toml, line 2: this is no colour; write \"#7cc4ff\": six hexadecimal digits after #, a name such as blue or bright-blue, or default",
        ),
        (
            "[roles]\nbad = \"bleu\"",
            "mine.toml, line 2: this is no colour; write \"blue\": six hexadecimal digits after #, a name such as blue or bright-blue, or default",
        ),
        (
            "[roles]\nbad = { fg = \"red\",\n colour = \"red\" }",
            "mine.toml, line 3: no part of a role is called colour; use one of fg, bg, add",
        ),
        (
            "[roles]\nbad = { add = [\"blink\"] }",
            "mine.toml, line 2: add is a list of attributes; write some of bold, dim, italic, underline, reverse",
        ),
        (
            "roles = 1",
            "mine.toml, line 1: roles is a table; write [roles] and a line for each role",
        ),
    ];
    for (text, words) in cases {
        let error = Source::parse(text, "mine.toml").expect_err(text);
        assert_eq!(error.to_string(), words);
    }
    let error = Source::parse("[roles]\nbad = red", "mine.toml")
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("mine.toml, line 2: this is not TOML ("),
        "{error}"
    );
    let error = Themes::of_process(true, Some("drak"))
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "no theme is called drak: write dark, or give the path of a .toml file"
    );
    let error = Source::load("./nowhere.toml").unwrap_err().to_string();
    assert!(
        error.starts_with("the theme ./nowhere.toml cannot be read ("),
        "{error}"
    );
}

#[test]
fn ascii_is_ascii() {
    let shown = format!("{ASCII:?}");
    assert!(shown.is_ascii());
    assert_ne!(ASCII.rule, ASCII.focus_rule);
    assert_ne!(UNICODE.rule, UNICODE.focus_rule);
}
