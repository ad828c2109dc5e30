//! Instruction coverage of a launch.

/// The set of instructions that some lane executed, by index in
/// [`Module::instructions`](crate::Module::instructions).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// One bit per instruction; instructions beyond the end were not executed.
    words: Vec<u64>,
}

impl Reached {
    /// Returns `true` if some lane executed the instruction with this index.
    pub fn has(&self, instruction: usize) -> bool {
        let word = self.words.get(instruction / 64);
        word.is_some_and(|word| word >> (instruction % 64) & 1 == 1)
    }

    #[inline]
    pub(crate) fn mark(&mut self, instruction: u32) {
        let (word, bit) = (instruction as usize / 64, 1 << (instruction % 64));
        match self.words.get_mut(word) {
            Some(word) => *word |= bit,
            None => self.grow(word, bit),
        }
    }

    #[cold]
    fn grow(&mut self, word: usize, bit: u64) {
        self.words.resize(word + 1, 0);
        self.words[word] = bit;
    }

    pub(crate) fn join(&mut self, other: &Self) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }
}
