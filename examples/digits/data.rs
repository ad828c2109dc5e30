//! The images: 1797 handwritten digits, whose source is in `examples/data/README.md`.

use fastrand::Rng;

/// Pixels per image: 8 rows of 8.
pub(crate) const PIXELS: usize = 64;
/// Pixels per row.
pub(crate) const SIDE: usize = 8;
/// The number of different digits.
pub(crate) const CLASSES: usize = 10;

/// Images with their labels, in the same order.
#[derive(Default)]
pub(crate) struct Images {
    /// Grey levels from 0 (paper) to 16 (ink), row by row within each image.
    pub(crate) levels: Vec<u8>,
    /// The digit of each image, from 0 to 9.
    pub(crate) labels: Vec<i32>,
}

impl Images {
    /// Returns the number of images.
    pub(crate) fn len(&self) -> usize {
        self.labels.len()
    }

    /// Returns the pixels of one image.
    pub(crate) fn image(&self, index: usize) -> &[u8] {
        &self.levels[index * PIXELS..][..PIXELS]
    }

    /// Returns the images with these indices, in this order.
    pub(crate) fn pick(&self, indices: &[usize]) -> Images {
        let mut picked = Images::default();
        for &index in indices {
            picked.levels.extend_from_slice(self.image(index));
            picked.labels.push(self.labels[index]);
        }
        picked
    }
}

/// Returns the images for training, and a random fifth of all images for validation.
pub(crate) fn load(rng: &mut Rng) -> (Images, Images) {
    let mut images = Images::default();
    for line in include_str!("../data/digits.txt").lines() {
        let (label, pixels) = line.split_once(' ').expect("a label, a space, the pixels");
        let levels = pixels.chars().map(|c| c.to_digit(17).expect("a level"));
        images.labels.push(label.parse().expect("a digit"));
        images.levels.extend(levels.map(|level| level as u8));
    }
    assert_eq!(
        images.levels.len(),
        images.len() * PIXELS,
        "64 pixels an image"
    );
    let mut order: Vec<usize> = (0..images.len()).collect();
    rng.shuffle(&mut order);
    let (held_out, training) = order.split_at(images.len() / 5);
    (images.pick(training), images.pick(held_out))
}
