//! Every action, in the order of the footer and the help.

use super::{Action, Context, Danger, Spec};

macro_rules! actions {
    ($($action:ident $id:literal [$($context:ident),+] [$($key:literal),*] $short:literal $help:literal $danger:ident;)+) => {
        &[$(Spec {
            action: Action::$action,
            id: $id,
            contexts: &[$(Context::$context),+],
            keys: &[$($key),*],
            short: $short,
            help: $help,
            danger: Danger::$danger,
        }),+]
    };
}

/// Every action, in the order of the footer and the help.
pub(crate) static ACTIONS: &[Spec] = actions! {
    Open "open" [Live, Hosts] ["Enter"] "open" "Open the selected host: its robots.txt with the line that decides, requests, visits, versions" None;
    Open "open" [Runs] ["Enter"] "all figures" "Read all figures of the selected run" None;
    Mark "compare" [Runs] ["b"] "compare" "Compare all runs with the selected one; again: each with the one before it" None;
    RunChanges "changes" [Runs] ["c"] "changes" "Go to what changed in the selected run, since the one compared with if that is older" None;
    Open "open" [Changes] ["Enter"] "open" "Open what changed with the selected location" None;
    NextDiffering "next-change" [Changes] ["n"] "next" "Next change, past what was sent whole and is the same" None;
    PreviousDiffering "previous-change" [Changes] ["N"] "" "The change before" None;
    PickRun "run" [Changes] ["w"] "run" "Show the changes of another run" None;
    PickSince "since" [Changes] ["b"] "compare" "Compare with the end of an older run, or with what was known before" None;
    Start "start" [Pane] ["r"] "start the run" "Start this period's run, or resume it" None;
    Open "evidence" [Host] ["Enter"] "open" "Show the line of robots.txt that allowed the selected request, or what changed with the selected version" None;
    NextPlace "next-place" [Diff] ["n"] "next" "Next place that holds what is looked for, or next change" None;
    PreviousPlace "previous-place" [Diff] ["N"] "" "The place or change before" None;
    PickOld "pick-old" [Diff] ["v"] "versions" "Choose the old side: any version of any location of the host" None;
    PickNew "pick-new" [Diff] ["V"] "" "Choose the new side; its first choice follows the newest version" None;
    Laid "reflow" [Diff] ["f"] "reflow" "Lay JSON or XML out, a member a row; again goes back to the lines" None;
    Beside "beside" [Diff] ["s"] "side by side" "Show the sides beside each other, or below each other" None;
    Pause "pause" [Pane] ["p"] "pause" "Pause the whole run, or resume it; no request leaves once the pause is reached" None;
    Hold "hold" [Live, Hosts, Host] ["h"] "hold" "Hold the selected site, or release it: not asked now, until released" None;
    Suppress "suppress" [Live, Hosts, Host] ["x"] "suppress" "Suppress the selected host or its whole domain: never asked again" Confirm;
    Filter "search" [Help] ["/"] "search" "Show only the lines that hold a word" None;
    Filter "search" [Diff] ["/"] "search" "Look for words in the lines shown; n and N go through the places" None;
    Filter "filter" [Live] ["/"] "filter" "Show only what matches: words, host:docs, in flight state:resting or gap>30s, in the log status:429, !, or, quotes" None;
    Filter "filter" [Hosts] ["/"] "filter" "Show only what matches: words, state:held, status:429, size>1mb, !, or, quotes" None;
    Filter "filter" [Changes] ["/"] "filter" "Show only what matches: words, kind:gone, location:llms, size>10kb, !, or, quotes" None;
    Sort "sort" [Live, Hosts] ["s"] "sort" "Sort by another column" None;
    Turn "turn" [Live, Hosts] ["S"] "" "Turn the order round" None;
    Back "back" [Host] ["Esc", "Backspace"] "back" "One step back: from the evidence to what led to it, from the past to now, from the page to the list" None;
    Back "back" [Diff] ["Esc", "Backspace"] "back" "Back to where it was opened from" None;
    MoreContext "more" [Diff] ["+", "="] "more lines" "Show more equal lines around each change" None;
    LessContext "less" [Diff] ["-"] "" "Show fewer" None;
    NextChange "next-change" [Diff] ["}"] "" "Next change" None;
    PreviousChange "previous-change" [Diff] ["{"] "" "The change before" None;
    Older "older" [Diff] ["["] "older" "What changed a version earlier" None;
    Newer "newer" [Diff] ["]"] "" "What changed a version later" None;
    Wrap "wrap" [Diff] ["w"] "wrap" "Let long lines go on below, or cut them" None;
    Left "left" [Diff] ["Left"] "" "Move the text to the right, to see its beginning" None;
    Right "right" [Diff] ["Right"] "" "Move the text to the left, to see its end" None;
    Raw "raw" [Diff] ["e"] "" "Show bytes as they are, or decoded from the encoding named" None;
    Bytes "bytes" [Diff] ["b"] "" "Show rows of 16 bytes; again goes back to the lines" None;
    Copy "copy" [Diff] ["y"] "copy" "Copy the change under the cursor, with its lines around, to the clipboard" None;
    Cite "cite" [Diff] ["Y"] "" "Copy the line by which the new version is cited" None;
    Save "save" [Diff] ["W"] "save" "Save the exact patch to a file, for git apply or patch" None;
    TryPath "try-path" [Host] ["t"] "try a path" "Ask the stored robots.txt about any path: the verdict and every line that had a say" None;
    Older "older" [Host] ["["] "older" "Show the robots.txt fetched before" None;
    Newer "newer" [Host] ["]"] "" "Show the robots.txt fetched after" None;
    StepBack "step-back" [Host] ["<"] "step back" "Step back in time: what was known of the host with the run before" None;
    StepForward "step-forward" [Host] [">"] "" "Step forward in time by a run, up to now" None;
    Section "section" [Live, Host] ["Tab"] "next part" "Go to the next part of the pane" None;
    SectionBack "section-back" [Live, Host] ["Shift-Tab"] "" "Go to the part before" None;
    Columns "columns" [Hosts] ["c"] "columns" "Choose the columns shown" None;
    Freeze "freeze" [Live] ["f"] "freeze" "Let the view stand still, or catch up; the run goes on either way" None;
    Details "details" [Live, Hosts, Changes, Runs, Host] ["d"] "details" "Read all there is to say of what is selected" None;
    Retry "retry" [Hosts, Changes, Runs, Host, Diff] ["R"] "read again" "Read again from the store" None;
    Clear "clear" [Live, Hosts, Changes] ["Esc"] "" "Clear the filter" None;
    Down "down" [List] ["j", "Down"] "" "Next row" None;
    Up "up" [List] ["k", "Up"] "" "Previous row" None;
    First "first" [List] ["g", "Home"] "" "First row" None;
    Last "last" [List] ["G", "End"] "" "Last row" None;
    PageDown "page-down" [List] ["PgDn", "Ctrl-D", "Space"] "" "A page down" None;
    PageUp "page-up" [List] ["PgUp", "Ctrl-U"] "" "A page up" None;
    ShowLive "show-live" [Pane] ["1"] "" "Go to the run under way" None;
    ShowHosts "show-hosts" [Pane] ["2"] "" "Go to all hosts of the store" None;
    ShowChanges "show-changes" [Pane] ["3"] "" "Go to what changed in a run, or between two" None;
    ShowRuns "show-runs" [Pane] ["6"] "" "Go to all runs, their figures side by side" None;
    Copy "copy" [Changes] ["y"] "" "Copy the URL of the selected location to the clipboard" None;
    Copy "copy" [Live, Hosts, Host] ["y"] "" "Copy the host's name, or the URL of the selected request, to the clipboard" None;
    Undo "undo" [Pane] ["u"] "" "Take back the last filter, order, choice of columns or hold" None;
    Alarms "alarms" [Pane] ["a"] "" "What is not as it should be: failures, waits, a window or a disk that runs out" None;
    Notices "notices" [Live, Hosts, Host] ["N"] "" "Every notice so far, with its time" None;
    Notices "notices" [Changes, Diff] ["L"] "" "Every notice so far, with its time" None;
    Theme "theme" [Pane] ["T"] "" "The next set of colours" None;
    Mouse "mouse" [Pane] ["M"] "" "Give the mouse to the terminal, for its own selection, or take it back" None;
    Palette "commands" [Pane] [":"] "" "Every command by name" None;
    Help "help" [Pane] ["?"] "" "This help" None;
    Quit "quit" [Pane] ["q"] "quit" "Leave a diff, or the page of a host; elsewhere quit: a run under way is asked to finish what it has begun" Confirm;
    Next "next" [Choice] ["Down", "Tab", "Right", "j", "l"] "next" "Next choice" None;
    Previous "previous" [Choice] ["Up", "Shift-Tab", "Left", "k", "h"] "" "Previous choice" None;
    Next "next" [Palette] ["Down", "Tab"] "" "Next command" None;
    Previous "previous" [Palette] ["Up", "Shift-Tab"] "" "Previous command" None;
    Choose "choose" [Choice, Palette, Line] ["Enter"] "take" "Take the choice marked, or the line as written" None;
    Complete "complete" [Line] ["Tab"] "complete" "Complete the word" None;
    Close "close" [Help] ["Esc", "q", "?"] "close" "Close it" None;
    Close "close" [Choice] ["Esc", "n", "q"] "no" "Do nothing" None;
    Close "close" [Palette, Line] ["Esc"] "close" "Close it and change nothing" None;
    Interrupt "interrupt" [Everywhere] ["Ctrl-C"] "" "Finish what is under way and quit; a second time quits at once" None;
    Suspend "suspend" [Everywhere] ["Ctrl-Z"] "" "Suspend the program, run and all, until `fg`" None;
    Redraw "redraw" [Everywhere] ["Ctrl-L"] "" "Draw the whole screen anew" None;
};
