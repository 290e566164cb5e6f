//! The gap in force, and why (PC2, PC3).

use std::time::Duration;

use super::Delay;
use crate::policy;

/// Why the gap is what it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GapReason {
    /// No readable Crawl-delay: the policy's minimum.
    Minimum,
    /// A declared delay, on this line.
    Declared(Delay),
    /// A declared delay raised or cut to the policy's bounds.
    Clamped(Delay),
}

/// The shortest wait between an answer and the next request, scaled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// The wait; at most a thousand years.
    pub duration: Duration,
    /// Why.
    pub reason: GapReason,
}

/// Longer than any run: what is declared beyond it is kept as this, so that adding it to a clock
/// cannot overflow.
const FOREVER: Duration = Duration::from_secs(1000 * 365 * 86_400);

/// The gap a policy keeps, given what robots.txt declares. `pace.scale` is applied last, to all of it.
pub fn gap(pace: &policy::Pace, declared: Option<Delay>) -> Gap {
    let (real, reason) = match declared {
        None => (pace.min_gap, GapReason::Minimum),
        Some(delay) => {
            let wish = seconds(delay.seconds);
            // PC3, then PC2: whatever is declared never makes us faster than the minimum.
            let bounded = wish
                .max(pace.delay_min)
                .min(pace.delay_max.unwrap_or(FOREVER))
                .max(pace.min_gap);
            let reason = if bounded == wish {
                GapReason::Declared(delay)
            } else {
                GapReason::Clamped(delay)
            };
            (bounded, reason)
        }
    };
    Gap {
        duration: scaled(real, pace.scale),
        reason,
    }
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).map_or(FOREVER, |wait| wait.min(FOREVER))
}

fn scaled(real: Duration, scale: f64) -> Duration {
    // A scale that is no factor (only a hand-made policy can hold one) shortens nothing.
    if scale == 1.0 || !scale.is_finite() || scale < 0.0 {
        return real.min(FOREVER);
    }
    seconds(real.as_secs_f64() * scale)
}
