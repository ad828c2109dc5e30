//! The mbarrier object (PTX ISA, "Parallel Synchronization and Communication Instructions:
//! mbarrier").
//!
//! A phase ends when no arrivals and no bytes are outstanding:
//!
//! ```text
//! pending == 0 and tx == 0  ->  phase += 1, pending = expected
//! ```

/// "Valid range of mbarrier object": counts of arrivals, and of bytes either way.
pub(crate) const MOST: u32 = (1 << 20) - 1;

/// Why an operation on an mbarrier has no meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Misuse {
    #[error("initialized for {0} arrivals; give 1 to 1048575")]
    Count(u32),
    #[error("{count} arrivals at once; give 1 to 1048575")]
    Arrivals { count: u32 },
    #[error(
        "{count} arrivals where the phase lacks {pending}: more come than `mbarrier.init` was told, or before the phase is over"
    )]
    Excess { count: u32, pending: u32 },
    #[error("{count} threads drop out of a barrier for {expected}")]
    Drops { count: u32, expected: u32 },
    #[error("an arrival with `.noComplete` completes the phase")]
    Completes,
    #[error("{bytes} bytes are expected at once; give 0 to 1048575")]
    Bytes { bytes: u32 },
    #[error("the bytes outstanding are {found}, beyond 1048575")]
    Overflow { found: i64 },
    #[error(
        "the token is of phase {token}, the barrier is in phase {phase}; wait with one of this or the last phase"
    )]
    Token { token: u64, phase: u64 },
    #[error("the phase parity is {0}; give 0 or 1")]
    Parity(u32),
}

/// What `mbarrier.arrive` returns: the phase and what it lacked before the arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    phase: u64,
    pending: u32,
}

impl Token {
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
            // 20 bits.
            pending: bits as u32 & MOST,
        }
    }

    /// `mbarrier.pending_count`
    pub(crate) fn pending(self) -> u32 {
        self.pending
    }
}

/// Whether an arrival may end the phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Completion {
    Allowed,
    /// `.noComplete`
    Excluded,
}

/// Whether the arriving threads come again in later phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Return {
    Comes,
    /// `arrive_drop`
    Dropped,
}

/// An mbarrier between `init` and `inval`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mbarrier {
    phase: u64,
    /// Arrivals of each phase.
    expected: u32,
    /// Arrivals that the phase lacks.
    pending: u32,
    /// Bytes expected less bytes completed.
    tx: i32,
}

impl Mbarrier {
    pub(crate) fn new(count: u32) -> Result<Self, Misuse> {
        if count == 0 || count > MOST {
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

    /// Bytes expected that have not come; below zero, bytes that no one expected yet.
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
        if bytes > MOST {
            return Err(Misuse::Bytes { bytes });
        }
        let found = i64::from(self.tx) + sign * i64::from(bytes);
        if found.abs() > i64::from(MOST) {
            return Err(Misuse::Overflow { found });
        }
        self.tx = i32::try_from(found).expect("within 21 bits");
        Ok(())
    }

    /// `mbarrier.expect_tx`: the phase also waits for `bytes`.
    pub(crate) fn expect(&mut self, bytes: u32) -> Result<(), Misuse> {
        self.add(bytes, 1)
    }

    /// `mbarrier.complete_tx`, and the end of an asynchronous copy.
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
        if count == 0 || count > MOST {
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

    /// A copy of `cp.async.mbarrier.arrive` without `.noinc` is one more arrival of this phase.
    pub(crate) fn increment(&mut self) -> Result<(), Misuse> {
        if self.pending == MOST {
            return Err(Misuse::Arrivals { count: MOST + 1 });
        }
        self.pending += 1;
        Ok(())
    }

    /// `mbarrier.test_wait`: whether the phase of the token is over.
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

    /// `mbarrier.test_wait.parity`: whether the last phase is the one of that parity.
    ///
    /// The PTX ISA has 0 and 1; Triton also writes -1, which is 1 extended from its one bit.
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

    /// Every event since `init`; all else is counted anew each time.
    #[derive(Default)]
    struct Model {
        count: i64,
        /// Of the phase: arrivals, drops, bytes.
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

        /// Arrivals and completions are what may end a phase.
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

    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: u32) -> u32 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (self.0 >> 33) as u32 % bound
        }
    }

    #[test]
    fn an_mbarrier_counts_as_the_list_of_its_events_does() {
        let mut random = Random(7);
        let (mut phases, mut refused) = (0, 0);
        for _ in 0..2_000 {
            let count = 1 + random.below(6);
            let mut barrier = Mbarrier::new(count).unwrap();
            let mut model = Model {
                count: i64::from(count),
                ..Model::default()
            };
            for _ in 0..60 {
                let before = barrier;
                let lacks = model.lacks();
                match random.below(6) {
                    0 => {
                        let bytes = random.below(3) * 16;
                        barrier.expect(bytes).unwrap();
                        model.happened(Event::Bytes(i64::from(bytes)), false);
                    }
                    1 => {
                        // What was expected, or what will be.
                        let bytes = random.below(3) * 16;
                        barrier.complete(bytes).unwrap();
                        model.happened(Event::Bytes(-i64::from(bytes)), true);
                    }
                    2 => {
                        barrier.increment().unwrap();
                        model.happened(Event::Extra, false);
                    }
                    kind => {
                        let arrivals = 1 + random.below(3);
                        let comes = if kind == 3 && random.below(4) == 0 {
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
        assert_eq!(Mbarrier::new(MOST + 1), Err(Misuse::Count(MOST + 1)));
        let mut barrier = Mbarrier::new(MOST).unwrap();
        assert_eq!(arrive(&mut barrier, 0), Err(Misuse::Arrivals { count: 0 }));
        assert_eq!(
            barrier.increment(),
            Err(Misuse::Arrivals { count: MOST + 1 })
        );
        barrier.expect(MOST).unwrap();
        let found = i64::from(MOST) + 1;
        assert_eq!(barrier.expect(1), Err(Misuse::Overflow { found }));
        assert_eq!(
            barrier.expect(MOST + 1),
            Err(Misuse::Bytes { bytes: MOST + 1 })
        );
        barrier.complete(MOST).unwrap();
        barrier.complete(MOST).unwrap();
        assert_eq!(barrier.complete(1), Err(Misuse::Overflow { found: -found }));
        assert_eq!(barrier.outstanding_bytes(), -MOST.cast_signed());
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
        // Bytes may come before anyone expects them.
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
        // All threads dropped out.
        let excess = Misuse::Excess {
            count: 1,
            pending: 0,
        };
        let result = barrier.arrive(1, Completion::Allowed, Return::Comes);
        assert_eq!(result, Err(excess));
    }
}
