//! Faults and cancellation: code that ends the launch.
//!
//! A fault within a nest sets a flag, which is looked at after the nest, so that its loop has no other exit. Only code that is
//! rarely run ends the launch at once ([`Check`](super::gather::Check)).

use super::{Emitter, vector_of};

impl Emitter<'_> {
    /// Ends the launch if another thread has cancelled it. A block may wait for what never comes, so loops ask.
    pub(super) fn stop_if_cancelled(&mut self) {
        // Volatile, so that it stays in its loop, and with metadata, so that accesses to other memory may leave theirs.
        let alias = self.alias(self.memories() - 1);
        let flag = self.value(&format!(
            "load atomic volatile i8, ptr %cancel.flag unordered, align 1{alias}"
        ));
        let is_cancelled = self.value(&format!("icmp ne i8 {flag}, 0"));
        self.stop_if(&is_cancelled);
    }

    pub(super) fn stop_if(&mut self, condition: &str) {
        let label = self.label();
        self.branch_hardly_if(condition, "stop", &label);
        self.start(&label);
    }

    /// Adds conditions of faults in a nest to the flags of its lanes.
    pub(super) fn note_faults(&mut self, lanes: u32) {
        for fault in std::mem::take(&mut self.faults) {
            let ty = vector_of("i1", lanes);
            let number = self.flags.iter().position(|(of, _)| *of == lanes);
            let flag = if let Some(number) = number {
                self.flags[number].1.clone()
            } else {
                let flag = self.at_entry(&format!("alloca {ty}"));
                self.flags.push((lanes, flag.clone()));
                flag
            };
            let old = self.value(&format!("load {ty}, ptr {flag}"));
            let new = self.value(&format!("or {ty} {old}, {fault}"));
            self.line(&format!("store {ty} {new}, ptr {flag}"));
        }
    }

    /// Ends the launch if a flag of the nest is set.
    pub(super) fn stop_at_flags(&mut self, from: usize) {
        for (lanes, flag) in self.flags.split_off(from) {
            let fault = self.value(&format!("load {}, ptr {flag}", vector_of("i1", lanes)));
            let is_any = self.any(&fault, lanes);
            self.stop_if(&is_any);
        }
    }

    /// Returns whether a truth of a vector is true.
    pub(super) fn any(&mut self, truths: &str, lanes: u32) -> String {
        if lanes == 1 {
            return truths.to_owned();
        }
        let ty = vector_of("i1", lanes);
        let name = format!("llvm.vector.reduce.or.v{lanes}i1");
        self.declare(format!("declare i1 @{name}({ty})"));
        self.value(&format!("call i1 @{name}({ty} {truths})"))
    }
}
