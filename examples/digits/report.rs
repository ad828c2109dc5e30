//! Reports on the results of training.

use std::fmt::Write;

use super::data::{CLASSES, Images, SIDE};

/// Returns the fraction of images whose digit was recognized.
pub(crate) fn accuracy(images: &Images, read: &[i32]) -> f64 {
    let right = images
        .labels
        .iter()
        .zip(read)
        .filter(|(label, read)| label == read);
    right.count() as f64 / images.len() as f64
}

/// Formats the confusion matrix: a row per digit that was shown, a column per digit that was read.
pub(crate) fn confusion(images: &Images, read: &[i32]) -> String {
    let mut counts = [[0; CLASSES]; CLASSES];
    for (&label, &read) in images.labels.iter().zip(read) {
        counts[label as usize][read as usize] += 1;
    }
    let mut text = String::from("      read as\nshown ");
    for class in 0..CLASSES {
        let _ = write!(text, "{class:>4}");
    }
    for (label, row) in counts.iter().enumerate() {
        let _ = write!(text, "\n{label:>5} ");
        for count in row {
            let _ = match count {
                0 => write!(text, "   ·"),
                _ => write!(text, "{count:>4}"),
            };
        }
    }
    text
}

/// Draws up to `most` misread images side by side.
pub(crate) fn misread(images: &Images, read: &[i32], most: usize) -> String {
    let wrong: Vec<usize> = (0..images.len())
        .filter(|&index| images.labels[index] != read[index])
        .take(most)
        .collect();
    let mut text = String::new();
    for &index in &wrong {
        let caption = format!("{} read as {}", images.labels[index], read[index]);
        let _ = write!(text, "{caption:<width$}", width = 2 * SIDE + 2);
    }
    for row in 0..SIDE {
        text.push('\n');
        for &index in &wrong {
            for &level in &images.image(index)[row * SIDE..][..SIDE] {
                let shade = [' ', '░', '▒', '▓', '█'][usize::from(level.div_ceil(4))];
                // Two characters are about as wide as one is high.
                text.extend([shade, shade]);
            }
            text.push_str("  ");
        }
    }
    text
}
