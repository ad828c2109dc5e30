//! The mbarrier object (PTX ISA, "Parallel Synchronization and Communication Instructions:
//! mbarrier").
//!
//! A phase completes when the pending count and the transaction count (tx-count) are both zero:
//!
//! ```text
//! pending == 0 and tx == 0  ->  phase += 1, pending = expected
//! ```

/// The maximum arrival count, and the maximum magnitude of the tx-count ("Valid range of mbarrier
/// object").
pub(crate) const MAX_COUNT: u32 = (1 << 20) - 1;

/// A violation of the mbarrier rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Misuse {
    #[error("initialized for {0} arrivals; the count must be 1 to 1048575")]
    Count(u32),
    #[error("{count} arrivals at once; the count must be 1 to 1048575")]
    Arrivals { count: u32 },
    #[error(
        "{count} arrivals while the pending count is {pending}: more threads arrive than `mbarrier.init` expects, or before the phase completes"
    )]
    Excess { count: u32, pending: u32 },
    #[error("{count} threads drop out of a barrier for {expected}")]
    Drops { count: u32, expected: u32 },
    #[error("an arrival with `.noComplete` completes the phase")]
    Completes,
    #[error("{bytes} bytes are expected at once; the number must be 0 to 1048575")]
    Bytes { bytes: u32 },
    #[error("the tx-count is {tx_count}, beyond 1048575")]
    Overflow { tx_count: i64 },
    #[error(
        "the token belongs to phase {token} and the barrier is in phase {phase}; wait with a token of the current or the preceding phase"
    )]
    Token { token: u64, phase: u64 },
    #[error("the phase parity is {0}; it must be 0 or 1")]
    Parity(u32),
}

/// The state token of `mbarrier.arrive`: the phase, and the pending count before the arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    phase: u64,
    pending: u32,
}

impl Token {
    /// Packs the token:
    ///
    /// ```text
    /// 63       20 19       0
    ///    phase     pending
    /// ```
    pub(crate) fn to_bits(self) -> u64 {
        self.phase << 20 | u64::from(self.pending)
    }

    pub(crate) fn from_bits(bits: u64) -> Self {
        Self {
            phase: bits >> 20,
            // The field has 20 bits.
            pending: bits as u32 & MAX_COUNT,
        }
    }

    /// Returns the result of `mbarrier.pending_count`.
    pub(crate) fn pending(self) -> u32 {
        self.pending
    }
}

/// The permission of an arrival to complete the phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Completion {
    Allowed,
    /// `.noComplete`.
    Excluded,
}

/// The participation of the arriving threads in later phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Return {
    Comes,
    /// `arrive_drop`.
    Dropped,
}

/// An mbarrier between `init` and `inval`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mbarrier {
    phase: u64,
    /// The expected arrival count of each phase.
    expected: u32,
    /// The pending count of the current phase.
    pending: u32,
    /// The tx-count: bytes expected minus bytes completed.
    tx: i32,
}

impl Mbarrier {
    pub(crate) fn new(count: u32) -> Result<Self, Misuse> {
        if count == 0 || count > MAX_COUNT {
            return Err(Misuse::Count(count));
        }
        Ok(Self {
            phase: 0,
            expected: count,
            pending: count,
            tx: 0,
        })
    }

    pub(crate) fn phase(&self) -> u64 {
        self.phase
    }

    pub(crate) fn pending(&self) -> u32 {
        self.pending
    }

    /// Returns the tx-count in bytes; negative if bytes completed before they were expected.
    pub(crate) fn outstanding_bytes(&self) -> i32 {
        self.tx
    }

    fn settle(&mut self) {
        if self.pending == 0 && self.tx == 0 {
            self.phase += 1;
            self.pending = self.expected;
        }
    }

    fn add(&mut self, bytes: u32, sign: i64) -> Result<(), Misuse> {
        if bytes > MAX_COUNT {
            return Err(Misuse::Bytes { bytes });
        }
        let tx_count = i64::from(self.tx) + sign * i64::from(bytes);
        if tx_count.abs() > i64::from(MAX_COUNT) {
            return Err(Misuse::Overflow { tx_count });
        }
        self.tx = i32::try_from(tx_count).expect("within 21 bits");
        Ok(())
    }

    /// Executes `mbarrier.expect_tx`: adds `bytes` to the tx-count.
    pub(crate) fn expect(&mut self, bytes: u32) -> Result<(), Misuse> {
        self.add(bytes, 1)
    }

    /// Executes `mbarrier.complete_tx`, or the completion of an asynchronous copy.
    pub(crate) fn complete(&mut self, bytes: u32) -> Result<(), Misuse> {
        self.add(bytes, -1)?;
        self.settle();
        Ok(())
    }

    pub(crate) fn arrive(
        &mut self,
        count: u32,
        completion: Completion,
        comes: Return,
    ) -> Result<Token, Misuse> {
        if count == 0 || count > MAX_COUNT {
            return Err(Misuse::Arrivals { count });
        }
        if count > self.pending {
            return Err(Misuse::Excess {
                count,
                pending: self.pending,
            });
        }
        if comes == Return::Dropped && count > self.expected {
            return Err(Misuse::Drops {
                count,
                expected: self.expected,
            });
        }
        if completion == Completion::Excluded && count == self.pending && self.tx == 0 {
            return Err(Misuse::Completes);
        }
        let token = Token {
            phase: self.phase,
            pending: self.pending,
        };
        if comes == Return::Dropped {
            self.expected -= count;
        }
        self.pending -= count;
        self.settle();
        Ok(token)
    }

    /// Increments the pending count, as `cp.async.mbarrier.arrive` without `.noinc` does.
    pub(crate) fn increment(&mut self) -> Result<(), Misuse> {
        if self.pending == MAX_COUNT {
            return Err(Misuse::Arrivals {
                count: MAX_COUNT + 1,
            });
        }
        self.pending += 1;
        Ok(())
    }

    /// Executes `mbarrier.test_wait`: returns `true` if the phase of the token has completed.
    pub(crate) fn passed(&self, token: Token) -> Result<bool, Misuse> {
        if token.phase == self.phase {
            return Ok(false);
        }
        if token.phase + 1 == self.phase {
            return Ok(true);
        }
        Err(Misuse::Token {
            token: token.phase,
            phase: self.phase,
        })
    }

    /// Executes `mbarrier.test_wait.parity`: returns `true` if the last completed phase has this
    /// parity.
    ///
    /// The PTX ISA allows 0 and 1. Triton also writes -1, the sign extension of the one-bit value
    /// 1.
    pub(crate) fn passed_parity(&self, parity: u32) -> Result<bool, Misuse> {
        match parity {
            0 | 1 | u32::MAX => Ok(self.phase & 1 != u64::from(parity & 1)),
            other => Err(Misuse::Parity(other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// A model that stores every event since `init` and recomputes the state each time.
    #[derive(Default)]
    struct Model {
        count: i64,
        /// The arrivals, drops and bytes of the current phase.
        events: Vec<Event>,
        drops: i64,
        finished: u64,
        carried: i64,
    }

    #[derive(Clone, Copy)]
    enum Event {
        Arrive(i64),
        Extra,
        Bytes(i64),
    }

    impl Model {
        fn lacks(&self) -> i64 {
            let arrived: i64 = self
                .events
                .iter()
                .map(|event| match event {
                    Event::Arrive(count) => *count,
                    Event::Extra => -1,
                    Event::Bytes(_) => 0,
                })
                .sum();
            self.count - arrived
        }

        fn bytes(&self) -> i64 {
            self.events
                .iter()
                .map(|event| match event {
                    Event::Bytes(bytes) => *bytes,
                    Event::Arrive(_) | Event::Extra => 0,
                })
                .sum::<i64>()
                + self.carried
        }

        /// Adds an event. Arrivals and completions may end a phase.
        fn happened(&mut self, event: Event, may_end: bool) {
            self.events.push(event);
            if may_end && self.lacks() == 0 && self.bytes() == 0 {
                self.events.clear();
                self.count -= self.drops;
                self.drops = 0;
                self.carried = 0;
                self.finished += 1;
            }
        }
    }

    #[test]
    fn an_mbarrier_counts_as_the_list_of_its_events_does() {
        let mut random = Random::new(7);
        // The result is below the bound, which has 32 bits.
        let mut below = |bound: u32| random.below(bound.into()) as u32;
        let (mut phases, mut refused) = (0, 0);
        for _ in 0..2_000 {
            let count = 1 + below(6);
            let mut barrier = Mbarrier::new(count).unwrap();
            let mut model = Model {
                count: i64::from(count),
                ..Model::default()
            };
            for _ in 0..60 {
                let before = barrier;
                let lacks = model.lacks();
                match below(6) {
                    0 => {
                        let bytes = below(3) * 16;
                        barrier.expect(bytes).unwrap();
                        model.happened(Event::Bytes(i64::from(bytes)), false);
                    }
                    1 => {
                        // Bytes that were expected, or that will be.
                        let bytes = below(3) * 16;
                        barrier.complete(bytes).unwrap();
                        model.happened(Event::Bytes(-i64::from(bytes)), true);
                    }
                    2 => {
                        barrier.increment().unwrap();
                        model.happened(Event::Extra, false);
                    }
                    kind => {
                        let arrivals = 1 + below(3);
                        let comes = if kind == 3 && below(4) == 0 {
                            Return::Dropped
                        } else {
                            Return::Comes
                        };
                        let completion = if kind == 4 {
                            Completion::Excluded
                        } else {
                            Completion::Allowed
                        };
                        let arrived = i64::from(arrivals);
                        let ends = lacks == arrived && model.bytes() == 0;
                        let result = barrier.arrive(arrivals, completion, comes);
                        let left = model.count - model.drops;
                        if arrived > lacks
                            || (completion == Completion::Excluded && ends)
                            || (comes == Return::Dropped && left < arrived)
                        {
                            assert!(result.is_err());
                            assert_eq!(barrier, before);
                            refused += 1;
                            continue;
                        }
                        let token = Token::from_bits(result.unwrap().to_bits());
                        assert_eq!(i64::from(token.pending()), lacks);
                        if comes == Return::Dropped {
                            model.drops += arrived;
                        }
                        model.happened(Event::Arrive(arrived), true);
                        assert_eq!(barrier.passed(token), Ok(ends));
                    }
                }
                assert_eq!(barrier.phase(), model.finished);
                assert_eq!(i64::from(barrier.pending()), model.lacks());
                assert_eq!(i64::from(barrier.outstanding_bytes()), model.bytes());
                let parity = (model.finished % 2) as u32;
                assert_eq!(barrier.passed_parity(parity), Ok(false));
                assert_eq!(barrier.passed_parity(1 - parity), Ok(true));
                phases += model.finished - before.phase();
            }
        }
        assert!(phases > 1_500 && refused > 1_000, "{phases} {refused}");
    }

    #[test]
    fn counts_have_limits() {
        let arrive = |barrier: &mut Mbarrier, count| {
            barrier.arrive(count, Completion::Allowed, Return::Comes)
        };
        assert_eq!(Mbarrier::new(0), Err(Misuse::Count(0)));
        assert_eq!(
            Mbarrier::new(MAX_COUNT + 1),
            Err(Misuse::Count(MAX_COUNT + 1))
        );
        let mut barrier = Mbarrier::new(MAX_COUNT).unwrap();
        assert_eq!(arrive(&mut barrier, 0), Err(Misuse::Arrivals { count: 0 }));
        assert_eq!(
            barrier.increment(),
            Err(Misuse::Arrivals {
                count: MAX_COUNT + 1
            })
        );
        barrier.expect(MAX_COUNT).unwrap();
        let tx_count = i64::from(MAX_COUNT) + 1;
        assert_eq!(barrier.expect(1), Err(Misuse::Overflow { tx_count }));
        assert_eq!(
            barrier.expect(MAX_COUNT + 1),
            Err(Misuse::Bytes {
                bytes: MAX_COUNT + 1
            })
        );
        barrier.complete(MAX_COUNT).unwrap();
        barrier.complete(MAX_COUNT).unwrap();
        assert_eq!(
            barrier.complete(1),
            Err(Misuse::Overflow {
                tx_count: -tx_count
            })
        );
        assert_eq!(barrier.outstanding_bytes(), -MAX_COUNT.cast_signed());
    }

    #[test]
    fn a_phase_ends_with_the_last_arrival_or_the_last_byte() {
        let mut barrier = Mbarrier::new(1).unwrap();
        barrier.expect(128).unwrap();
        let token = barrier
            .arrive(1, Completion::Allowed, Return::Comes)
            .unwrap();
        assert_eq!(barrier.passed(token), Ok(false));
        barrier.complete(64).unwrap();
        assert_eq!(barrier.passed(token), Ok(false));
        barrier.complete(64).unwrap();
        assert_eq!(barrier.passed(token), Ok(true));
        // Bytes may complete before they are expected.
        barrier.complete(32).unwrap();
        barrier.expect(32).unwrap();
        barrier
            .arrive(1, Completion::Allowed, Return::Dropped)
            .unwrap();
        assert_eq!(barrier.phase(), 2);
        assert_eq!(
            barrier.passed(token),
            Err(Misuse::Token { token: 0, phase: 2 })
        );
        assert_eq!(barrier.passed_parity(2), Err(Misuse::Parity(2)));
        assert_eq!(barrier.passed_parity(u32::MAX), barrier.passed_parity(1));
        // All threads have dropped out.
        let excess = Misuse::Excess {
            count: 1,
            pending: 0,
        };
        let result = barrier.arrive(1, Completion::Allowed, Return::Comes);
        assert_eq!(result, Err(excess));
    }
}
