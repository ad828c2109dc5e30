//! Compares `mbarrier` in every form with a model that counts arrivals and bytes.
#![expect(clippy::format_collect, reason = "texts that grow")]

use crate::support::run_on;

/// An mbarrier as the PTX ISA describes it: a phase completes when neither arrivals nor bytes are
/// pending.
#[derive(Clone, Copy)]
struct Model {
    expected: u32,
    pending: u32,
    bytes: u32,
    phase: u32,
}

impl Model {
    fn new(count: u32) -> Self {
        Self {
            expected: count,
            pending: count,
            bytes: 0,
            phase: 0,
        }
    }

    fn settle(&mut self) {
        if self.pending == 0 && self.bytes == 0 {
            self.phase += 1;
            self.pending = self.expected;
        }
    }
}

/// The effect of an instruction.
#[derive(Clone, Copy, Debug, Default)]
struct Effect {
    arrivals: u32,
    drops: u32,
    bytes: u32,
    /// Is `true` if the instruction returns the state before its execution.
    state: bool,
}

/// Checks `form` in one thread, which then completes the phase by plain arrivals and tests the
/// phase after every step.
fn check(form: &str, effect: Effect) {
    let left = 8 - effect.arrivals;
    let (save, bytes) = (
        if effect.state {
            "mbarrier.pending_count.b64 %r1, %d2;"
        } else {
            "mov.u32 %r1, 0;"
        },
        if effect.bytes > 0 {
            format!(
                "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r10], {};",
                effect.bytes
            )
        } else {
            String::new()
        },
    );
    let body = format!(
        "mov.u32 %r10, dynamic; cvt.u64.u32 %d10, %r10; cvta.shared.u64 %d10, %d10;
         mapa.shared::cluster.u32 %r11, %r10, 0; mov.u32 %r12, 3; mov.u32 %r13, 48;
         mbarrier.init.shared.b64 [%r10], 8;
         {form} {save}
         mbarrier.arrive.shared.b64 %d3, [%r10]; mbarrier.pending_count.b64 %r2, %d3;
         mbarrier.test_wait.shared.b64 %p1, [%r10], %d3; selp.u32 %r3, 1, 0, %p1;
         mbarrier.arrive.shared.b64 %d4, [%r10], {}; mbarrier.test_wait.shared.b64 %p1, [%r10], %d3; selp.u32 %r4, 1, 0, %p1;
         {bytes} mbarrier.test_wait.shared.b64 %p1, [%r10], %d3; selp.u32 %r5, 1, 0, %p1;
         mbarrier.arrive.shared.b64 %d5, [%r10]; mbarrier.pending_count.b64 %r6, %d5;
         ld.param.u64 %d1, [d]; st.global.v4.u32 [%d1], {{%r1, %r2, %r3, %r4}}; st.global.v2.u32 [%d1+16], {{%r5, %r6}};",
        left - 1
    );
    let words = run_on("sm_90a", &body, 1, 64).unwrap_or_else(|fault| panic!("{form}: {fault}"));
    let mut model = Model::new(8);
    let mut expected = vec![if effect.state { model.pending } else { 0 }];
    model.pending -= effect.arrivals;
    model.expected -= effect.drops;
    model.bytes += effect.bytes;
    expected.push(model.pending);
    model.pending -= 1;
    expected.push(model.phase);
    model.pending -= left - 1;
    model.settle();
    expected.push(model.phase);
    model.bytes = 0;
    if model.phase == 0 {
        model.settle();
    }
    expected.push(model.phase);
    expected.push(model.pending);
    assert_eq!(words[..6], expected, "{form}");
}

const SPACES: [&str; 3] = ["", ".shared", ".shared::cta"];

/// Returns the address of the mbarrier in this space.
fn at(space: &str) -> &str {
    match space {
        "" => "[%d10]",
        ".shared::cluster" => "[%r11]",
        _ => "[%r10]",
    }
}

#[test]
fn arrivals_count() {
    for (op, drops) in [("arrive", 0), ("arrive_drop", 1)] {
        for space in SPACES {
            let address = at(space);
            for order in ["", ".release.cta", ".release.cluster"] {
                let name = format!("mbarrier.{op}{order}{space}.b64");
                let one = Effect {
                    arrivals: 1,
                    drops,
                    state: true,
                    ..Effect::default()
                };
                check(&format!("{name} %d2, {address};"), one);
                let three = Effect {
                    arrivals: 3,
                    drops: 3 * drops,
                    ..one
                };
                check(&format!("{name} %d2, {address}, 3;"), three);
                check(&format!("{name} %d2, {address}, %r12;"), three);
                if drops == 1 && order == ".release.cluster" {
                    continue;
                }
                let bytes = Effect { bytes: 48, ..one };
                let name = format!("mbarrier.{op}.expect_tx{order}{space}.b64");
                check(&format!("{name} %d2, {address}, %r13;"), bytes);
                if order != ".release.cluster" {
                    let name = format!("mbarrier.{op}.noComplete{order}{space}.b64");
                    check(&format!("{name} %d2, {address}, %r12;"), three);
                }
            }
        }
    }
    for scope in ["cta", "cluster"] {
        let name = format!("mbarrier.arrive.relaxed.{scope}.shared::cta.b64");
        let one = Effect {
            arrivals: 1,
            state: true,
            ..Effect::default()
        };
        check(&format!("{name} %d2, [%r10];"), one);
    }
}

#[test]
fn arrivals_from_the_cluster_count() {
    for order in ["", ".release.cluster"] {
        let name = format!("mbarrier.arrive{order}.shared::cluster.b64");
        let one = Effect {
            arrivals: 1,
            ..Effect::default()
        };
        check(&format!("{name} _, [%r11];"), one);
        let three = Effect { arrivals: 3, ..one };
        check(&format!("{name} _, [%r11], %r12;"), three);
        let name = format!("mbarrier.arrive.expect_tx{order}.shared::cluster.b64");
        check(
            &format!("{name} _, [%r11], %r13;"),
            Effect { bytes: 48, ..one },
        );
    }
}

#[test]
fn bytes_are_expected_and_come() {
    for order in ["", ".relaxed.cta", ".relaxed.cluster"] {
        for space in ["", ".shared::cta", ".shared::cluster"] {
            let address = at(space);
            let expect = format!("mbarrier.expect_tx{order}{space}.b64 {address}, %r13;");
            let bytes = Effect {
                bytes: 48,
                ..Effect::default()
            };
            check(&expect, bytes);
            let complete = format!("mbarrier.complete_tx{order}{space}.b64 {address}, 40;");
            check(
                &format!("{expect} {complete}"),
                Effect { bytes: 8, ..bytes },
            );
        }
    }
}

/// Tests waits for the phase of a token and of a parity.
#[test]
fn waits_see_phases() {
    for op in ["test_wait", "try_wait"] {
        for space in SPACES {
            let address = at(space);
            for order in ["", ".acquire.cta", ".acquire.cluster", ".relaxed.cta"] {
                let limits: &[&str] = if op == "try_wait" {
                    &["", ", 64", ", %r12"]
                } else {
                    &[""]
                };
                for limit in limits {
                    let token =
                        format!("mbarrier.{op}{order}{space}.b64 %p1, {address}, %d2{limit};");
                    let parity = |bit: u32| {
                        format!(
                            "mbarrier.{op}.parity{order}{space}.b64 %p1, {address}, {bit}{limit};"
                        )
                    };
                    let waits = [token, parity(0), parity(1)];
                    let look = |first: u32| -> String {
                        (first..)
                            .zip(&waits)
                            .map(|(register, wait)| {
                                format!("{wait} selp.u32 %r{register}, 1, 0, %p1;")
                            })
                            .collect()
                    };
                    let body = format!(
                        "mov.u32 %r10, dynamic; cvt.u64.u32 %d10, %r10; cvta.shared.u64 %d10, %d10; mov.u32 %r12, 64;
                         mbarrier.init.shared.b64 [%r10], 2; mbarrier.arrive.shared.b64 %d2, [%r10];
                         {} mbarrier.arrive.shared.b64 %d3, [%r10]; {}
                         ld.param.u64 %d1, [d]; st.global.v2.u32 [%d1], {{%r1, %r2}}; st.global.v4.u32 [%d1+16], {{%r3, %r4, %r5, %r6}};",
                        look(1),
                        look(4)
                    );
                    let words = run_on("sm_90a", &body, 1, 64);
                    let words = words.unwrap_or_else(|fault| panic!("{}: {fault}", waits[0]));
                    // In phase 0, the preceding phase of parity 1 is complete.
                    let actual = [words[0], words[1], words[4], words[5], words[6], words[7]];
                    assert_eq!(actual, [0, 0, 1, 1, 1, 0], "{}", waits[0]);
                }
            }
        }
    }
}

#[test]
fn memory_of_a_barrier_is_free_when_it_is_over() {
    for space in SPACES {
        let address = at(space);
        let body = format!(
            "mov.u32 %r10, dynamic; cvt.u64.u32 %d10, %r10; cvta.shared.u64 %d10, %d10; mov.u32 %r12, 3;
             mbarrier.init{space}.b64 {address}, %r12; mbarrier.arrive{space}.b64 %d2, {address}; mbarrier.pending_count.b64 %r1, %d2;
             mbarrier.inval{space}.b64 {address}; mov.u64 %d3, 77; st.shared.u64 [%r10], %d3; ld.shared.u32 %r2, [%r10];
             mbarrier.init{space}.b64 {address}, 5; mbarrier.arrive{space}.b64 %d2, {address}; mbarrier.pending_count.b64 %r3, %d2;
             ld.param.u64 %d1, [d]; st.global.v4.u32 [%d1], {{%r1, %r2, %r3, %r3}};"
        );
        let words = run_on("sm_90a", &body, 1, 64).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(words[..3], [3, 77, 5]);
        let inval = format!("mbarrier.inval{space}.b64 {address};");
        let twice = body
            .replace(&inval, "")
            .replace("st.shared.u64 [%r10], %d3;", "");
        let fault = run_on("sm_90a", &twice, 1, 64).unwrap_err();
        assert!(fault.to_string().contains("initialized again"), "{fault}");
    }
}
