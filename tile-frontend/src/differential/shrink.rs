//! Reduces a failing program by removing and zeroing parts of its list of choices.

use super::differences;
use super::generate::choices::Choices;
use super::generate::{Sample, sample};

/// The maximum number of runs of rustc.
const ROUNDS: usize = 60;
/// The number of candidates per run.
const WIDTH: usize = 24;

/// Returns the kind of a failure, which is the same for similar failures.
pub(super) fn kind(why: &str) -> String {
    let mut lines = why.lines();
    let first = lines.next().unwrap_or_default();
    if first.starts_with("with ") {
        let fault = first.contains("Err(");
        return format!(
            "another result, {}",
            if fault { "a fault" } else { "a value" }
        );
    }
    let second = lines.next().unwrap_or_default();
    let message = second
        .split_once("`: ")
        .map_or(second, |(_, message)| message);
    // Names and numbers in backticks differ between programs.
    message
        .split('`')
        .step_by(2)
        .collect::<Vec<&str>>()
        .join("`")
}

/// Returns the smallest program found that fails in the same way.
pub(super) fn shrink(choices: Vec<u32>, why: String, seed: u64) -> (Sample, String) {
    let wanted = kind(&why);
    let mut best = (sample(Choices::replay(choices)), why);
    let mut size = best.0.choices.len() / 2;
    let mut start = 0;
    for round in 0..ROUNDS {
        if size == 0 {
            break;
        }
        let list = best.0.choices.clone();
        let mut candidates = Vec::new();
        while candidates.len() < WIDTH && start < list.len() {
            let end = (start + size).min(list.len());
            let mut without = list.clone();
            without.drain(start..end);
            candidates.push(sample(Choices::replay(without)));
            if list[start..end].iter().any(|&choice| choice != 0) {
                let mut zeroed = list.clone();
                zeroed[start..end].fill(0);
                candidates.push(sample(Choices::replay(zeroed)));
            }
            start += size;
        }
        candidates.retain(|candidate| candidate.text.len() < best.0.text.len());
        let failing = differences(&candidates, &format!("shrink{round}"), seed);
        let better = failing
            .into_iter()
            .filter(|(_, why)| kind(why) == wanted)
            .min_by_key(|&(index, _)| candidates[index].text.len());
        if let Some((index, why)) = better {
            best = (candidates.swap_remove(index), why);
            start = 0;
            size = size.min(best.0.choices.len() / 2).max(1);
        } else if start >= list.len() {
            start = 0;
            size /= 2;
        }
    }
    best
}
