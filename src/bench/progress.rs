//! A progress bar for programs that measure many things.

use std::fmt;

use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar on the standard error. It is hidden where that is no terminal.
///
/// ```
/// use tile_kernel::bench::Progress;
///
/// let progress = Progress::new(3);
/// for size in [100, 1000, 10_000] {
///     progress.begin(format!("add of {size}"));
///     // measure it
/// }
/// progress.finish();
/// ```
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Shows a bar for this number of measurements.
    pub fn new(count: usize) -> Progress {
        let bar = ProgressBar::new(count as u64);
        // On a system without terminals, the bar of the crate stays.
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} ({eta} left)") {
            bar.set_style(style);
        }
        Progress { bar }
    }

    /// Says what is measured next. Those before it are done.
    pub fn begin(&self, label: impl Into<String>) {
        if !self.bar.message().is_empty() {
            self.bar.inc(1);
        }
        self.bar.set_message(label.into());
        self.bar.tick();
    }

    /// Prints a line above the bar, or without a bar to the standard error.
    pub fn println(&self, line: impl AsRef<str>) {
        self.bar.suspend(|| {
            #[expect(clippy::print_stderr, reason = "the caller wants a line there")]
            {
                eprintln!("{}", line.as_ref());
            }
        });
    }

    /// Removes the bar.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress")
            .field("done", &self.bar.position())
            .field("count", &self.bar.length())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_label_ends_the_one_before() {
        let progress = Progress::new(2);
        progress.begin("one");
        assert_eq!(
            format!("{progress:?}"),
            "Progress { done: 0, count: Some(2) }"
        );
        progress.begin("two");
        assert_eq!(
            format!("{progress:?}"),
            "Progress { done: 1, count: Some(2) }"
        );
        progress.finish();
    }
}
