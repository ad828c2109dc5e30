//! Tests kernels that lack one synchronization, and the same kernels with it.

mod bulk_copy;
mod dependents;
mod stores;
mod tma;

use crate::gpu::{
    Access, AsyncCopy, Begins, BlockId, Buffer, BufferId, Caching, Copied, GlobalAxis, GlobalTile,
    Kernel, LayoutId, OpKind, Param, ParamKind, Root, Roots, Ty, ValueId, compute, verify,
};
use crate::layout::{Axis, InDim, LinearLayout, OutShape};
use tile_core::{Loc, Scalar};

const LOC: Loc = Loc::UNKNOWN;
const I32: Ty = Ty::Uniform(Scalar::I32);
const I1: Ty = Ty::Uniform(Scalar::I1);
const BYTES: u32 = 128;

/// Builds kernels of one warp whose tiles have 32 elements of f32.
struct Build {
    kernel: Kernel,
    block: BlockId,
    threads: LayoutId,
    all: LayoutId,
    memory: LayoutId,
    base: ValueId,
    /// The accesses of the kernel to the memory of its parameter.
    access: Access,
}

impl Build {
    fn new() -> Self {
        let mut kernel = Kernel::new("k", 1, LOC);
        let shape = OutShape::new(&[32]).expect("a shape");
        let axes = [Axis(0)];
        let lanes = LinearLayout::identity(InDim::Lane, shape.clone(), &axes);
        let memory = LinearLayout::identity(InDim::Offset, shape.clone(), &axes);
        let (threads, memory) = (kernel.add_layout(lanes), kernel.add_layout(memory));
        let all_elements = kernel.add_layout(LinearLayout::identity(InDim::Register, shape, &axes));
        let kind = ParamKind::Pointer {
            pointee: Scalar::F32,
            access: Access::Read,
            align_bytes: 16,
            is_unique: true,
        };
        let base = kernel.add_param(kind, LOC);
        assert!(matches!(kernel.params[..], [Param { .. }]));
        let block = kernel.body();
        Self {
            kernel,
            block,
            threads,
            all: all_elements,
            memory,
            base,
            access: Access::Read,
        }
    }

    fn buffer(&mut self, stages: u32, offset_bytes: u32) -> BufferId {
        self.kernel.add_buffer(Buffer {
            is_dedicated: false,
            element: Scalar::F32,
            bytes: BYTES * stages,
            stages,
            align_bytes: 16,
            layout: Some(self.memory),
            offset_bytes: Some(offset_bytes),
        })
    }

    fn op(&mut self, kind: OpKind, args: &[ValueId], results: &[Ty]) -> Option<ValueId> {
        let id = self.kernel.push(self.block, kind, args, results, &[], LOC);
        self.kernel.op(id).results.first().copied()
    }

    fn value(&mut self, kind: OpKind, args: &[ValueId], ty: Ty) -> ValueId {
        self.op(kind, args, &[ty]).expect("it has a result")
    }

    fn number(&mut self, number: u64) -> ValueId {
        self.value(OpKind::Constant(number), &[], I32)
    }

    fn compute(&mut self, op: compute::Uniform, args: &[ValueId], ty: Ty) -> ValueId {
        self.value(OpKind::Compute(op.element_op(Scalar::I32)), args, ty)
    }

    fn tile(&self) -> Ty {
        Ty::Distributed {
            element: Scalar::F32,
            layout: self.threads,
        }
    }

    fn store(&mut self, buffer: BufferId) {
        let value = self.value(OpKind::Constant(0), &[], self.tile());
        self.op(OpKind::StoreShared(buffer), &[value], &[]);
    }

    /// Adds a load of the whole tile by every thread.
    fn load(&mut self, buffer: BufferId, stage: &[ValueId]) {
        let ty = Ty::Distributed {
            element: Scalar::F32,
            layout: self.all,
        };
        self.value(OpKind::LoadShared(buffer), stage, ty);
    }

    /// Adds a load by which every thread reads what it copied itself.
    fn load_own(&mut self, buffer: BufferId, stage: &[ValueId]) {
        self.value(OpKind::LoadShared(buffer), stage, self.tile());
    }

    fn barrier(&mut self) {
        self.op(OpKind::Barrier, &[], &[]);
    }

    fn wait(&mut self, left: u32) {
        self.op(OpKind::WaitGroup(left), &[], &[]);
    }

    fn commit(&mut self) {
        self.op(OpKind::CommitGroup, &[], &[]);
    }

    fn write(&mut self) {
        let value = self.value(OpKind::Constant(0), &[], self.tile());
        let number = self.number(32);
        let args = [value, self.base, number, number, number];
        let tile = parameter(Access::Write);
        self.op(OpKind::StoreGlobal(tile), &args, &[]);
    }

    fn copy(&mut self, circular_buffer: BufferId, whether: ValueId, stage: ValueId) {
        let copy = AsyncCopy {
            from: Copied::Tile(parameter(self.access)),
            buffer: circular_buffer,
            layout: self.threads,
            is_prefetch: false,
        };
        let number = self.number(32);
        let args = [whether, stage, self.base, number, number, number];
        self.op(OpKind::CopyAsync(Box::new(copy)), &args, &[]);
    }

    /// Adds a copy that is issued unconditionally.
    fn plain_copy(&mut self, circular_buffer: BufferId, stage: u64) {
        let whether = self.value(OpKind::Constant(1), &[], I1);
        let stage = self.number(stage);
        self.copy(circular_buffer, whether, stage);
    }

    fn errors(&self) -> Vec<String> {
        verify(&self.kernel)
    }
}

/// Returns a tile in the memory of the parameter, with this access.
fn parameter(access: Access) -> GlobalTile {
    GlobalTile {
        element: Scalar::F32,
        axes: vec![GlobalAxis {
            size: 32,
            step: 32,
            edge_divisor: 1,
            begins: Begins::Anywhere,
        }],
        contiguous: Some(Axis(0)),
        vector_elements: 1,
        padding: None,
        roots: Roots::from([Root::Param(0)]),
        access,
        fits_32_bits: true,
        by_owners: false,
        caching: Caching::Normal,
    }
}

fn errors(fill: impl FnOnce(&mut Build)) -> Vec<String> {
    let mut build = Build::new();
    fill(&mut build);
    build.errors()
}

#[track_caller]
fn says(actual: &[String], text: &str) {
    assert!(
        actual.iter().any(|error| error.contains(text)),
        "{actual:?}"
    );
}

#[test]
fn a_barrier_stands_between_a_write_and_a_read() {
    let kernel = |has_barrier: bool| {
        errors(|build| {
            let buffer = build.buffer(1, 0);
            build.store(buffer);
            if has_barrier {
                build.barrier();
            }
            build.load(buffer, &[]);
        })
    };
    assert_eq!(kernel(true), Vec::<String>::new());
    let expected = "k: `load_shared $0` at unknown: a barrier between `store_shared $0` at unknown \
                    and this is missing";
    assert_eq!(kernel(false), [expected]);
}

#[test]
fn a_barrier_stands_between_a_read_and_the_next_write_of_its_bytes() {
    let kernel = |has_barrier: bool, offset: u32| {
        errors(|build| {
            let (a, b) = (build.buffer(1, 0), build.buffer(1, offset));
            build.store(a);
            build.barrier();
            build.load(a, &[]);
            if has_barrier {
                build.barrier();
            }
            build.store(b);
            build.barrier();
            build.load(b, &[]);
        })
    };
    assert_eq!(kernel(true, 0), Vec::<String>::new());
    assert_eq!(kernel(true, BYTES / 2), Vec::<String>::new());
    assert_eq!(kernel(false, BYTES), Vec::<String>::new());
    says(
        &kernel(false, 0),
        "`store_shared $1` at unknown: a barrier between `load_shared $0`",
    );
    says(
        &kernel(false, BYTES / 2),
        "a barrier between `load_shared $0`",
    );
}

#[test]
fn what_is_read_is_what_was_written() {
    let overwritten = errors(|build| {
        let (a, b) = (build.buffer(1, 0), build.buffer(1, 64));
        build.store(a);
        build.barrier();
        build.store(b);
        build.barrier();
        build.load(a, &[]);
    });
    says(
        &overwritten,
        "$0 is read where it does not hold what was written to it",
    );
    let empty = errors(|build| {
        let a = build.buffer(1, 0);
        build.load(a, &[]);
    });
    says(
        &empty,
        "$0 is read where it does not hold what was written to it",
    );
    let other_stage = errors(|build| {
        let circular_buffer = build.buffer(2, 0);
        build.plain_copy(circular_buffer, 0);
        build.commit();
        build.wait(0);
        build.barrier();
        let stage = build.number(1);
        build.load(circular_buffer, &[stage]);
    });
    says(
        &other_stage,
        "$0 is read where it does not hold what was written to it",
    );
}

#[test]
fn a_copy_is_waited_for_and_then_a_barrier_passed() {
    let kernel = |steps: &[&str]| {
        errors(|build| {
            let circular_buffer = build.buffer(2, 0);
            build.plain_copy(circular_buffer, 0);
            build.commit();
            build.plain_copy(circular_buffer, 1);
            build.commit();
            for &step in steps {
                match step {
                    "barrier" => build.barrier(),
                    "read" => {
                        let stage = build.number(0);
                        build.load(circular_buffer, &[stage]);
                    }
                    left => build.wait(left.parse().expect("a number")),
                }
            }
            build.wait(0);
        })
    };
    assert_eq!(kernel(&["1", "barrier", "read"]), Vec::<String>::new());
    assert_eq!(kernel(&["0", "barrier", "read"]), Vec::<String>::new());
    says(
        &kernel(&["2", "barrier", "read"]),
        "may be under way to the same bytes",
    );
    says(
        &kernel(&["barrier", "read"]),
        "may be under way to the same bytes",
    );
    says(
        &kernel(&["1", "read"]),
        "a barrier between the wait for `copy_async",
    );
    says(
        &kernel(&["barrier", "1", "read"]),
        "a barrier between the wait for `copy_async",
    );
}

#[test]
fn what_a_copy_reads_is_not_written_before_all_have_waited_for_it() {
    let kernel = |steps: &[&str]| {
        errors(|build| {
            build.access = Access::Write;
            let circular_buffer = build.buffer(2, 0);
            build.plain_copy(circular_buffer, 0);
            build.commit();
            for &step in steps {
                match step {
                    "barrier" => build.barrier(),
                    "write" => build.write(),
                    left => build.wait(left.parse().expect("a number")),
                }
            }
            build.wait(0);
        })
    };
    assert_eq!(kernel(&["0", "barrier", "write"]), Vec::<String>::new());
    says(&kernel(&["0", "write"]), "a barrier between `copy_async");
    says(
        &kernel(&["barrier", "0", "write"]),
        "a barrier between `copy_async",
    );
    says(
        &kernel(&["barrier", "write"]),
        "may be under way from the same bytes",
    );
    says(
        &kernel(&["1", "barrier", "write"]),
        "may be under way from the same bytes",
    );
    // A write before the copy needs a barrier as well.
    let after = errors(|build| {
        build.access = Access::Write;
        let circular_buffer = build.buffer(2, 0);
        build.write();
        build.plain_copy(circular_buffer, 0);
        build.commit();
        build.wait(0);
    });
    says(&after, "a barrier between `store_global");
}

#[test]
fn copies_without_a_commit_are_never_waited_for() {
    let actual = errors(|build| {
        let circular_buffer = build.buffer(2, 0);
        build.plain_copy(circular_buffer, 0);
        build.wait(0);
        build.barrier();
        let stage = build.number(0);
        build.load(circular_buffer, &[stage]);
    });
    says(&actual, "may be under way to the same bytes");
    says(&actual, "the kernel ends while `copy_async");
}

#[test]
fn a_copy_does_not_begin_while_one_to_its_bytes_is_under_way_or_they_are_read() {
    let again = errors(|build| {
        let circular_buffer = build.buffer(2, 0);
        for _ in 0..2 {
            build.plain_copy(circular_buffer, 0);
            build.commit();
        }
        build.wait(0);
    });
    says(&again, "may be under way to the same bytes");
    let read = errors(|build| {
        let circular_buffer = build.buffer(2, 0);
        build.plain_copy(circular_buffer, 0);
        build.commit();
        build.wait(0);
        build.barrier();
        let stage = build.number(0);
        build.load(circular_buffer, &[stage]);
        build.plain_copy(circular_buffer, 0);
        build.commit();
        build.wait(0);
    });
    says(&read, "a barrier between `load_shared $0`");
}

#[test]
fn who_reads_what_it_copied_waits_for_no_barrier() {
    let errors_of = |left: u32| {
        errors(|build| {
            let circular_buffer = build.buffer(2, 0);
            for _ in 0..2 {
                build.plain_copy(circular_buffer, 0);
                build.commit();
                build.wait(left);
                let stage = build.number(0);
                build.load_own(circular_buffer, &[stage]);
            }
            build.wait(0);
        })
    };
    assert_eq!(errors_of(0), Vec::<String>::new());
    says(&errors_of(1), "may be under way to the same bytes");
}

/// Returns the errors of `for i in 0..n { wait; barrier; copy for i + 1 into the other stage; read }`,
/// followed by another use of the circular buffer's bytes. A copy is issued if there is an iteration
/// `prefetched` iterations later.
fn pipelined(prefetched: u64, step_of_stage: u64) -> Vec<String> {
    errors(|build| {
        let (circular_buffer, other) = (build.buffer(2, 0), build.buffer(1, 0));
        let n = build.kernel.add_param(ParamKind::Scalar(Scalar::I32), LOC);
        let (zero, one) = (build.number(0), build.number(1));
        let enters = compute::Uniform::Less { unsigned: false };
        let enters = build.compute(enters, &[zero, n], I1);
        build.copy(circular_buffer, enters, zero);
        build.commit();
        let body = build.kernel.add_block();
        let induction = build.kernel.add_block_arg(body, I32, LOC);
        let stage = build.kernel.add_block_arg(body, I32, LOC);
        let outer = std::mem::replace(&mut build.block, body);
        build.wait(0);
        build.barrier();
        let left = build.compute(compute::Uniform::Sub, &[n, induction], I32);
        let distance = build.number(prefetched);
        let whether = compute::Uniform::Less { unsigned: true };
        let whether = build.compute(whether, &[distance, left], I1);
        let step = build.number(step_of_stage);
        let next = build.compute(compute::Uniform::Sub, &[step, stage], I32);
        build.copy(circular_buffer, whether, next);
        build.commit();
        build.load(circular_buffer, &[stage]);
        build.op(OpKind::Continue, &[next], &[]);
        build.block = outer;
        let kind = OpKind::For { unsigned: false };
        let args = [zero, n, one, zero];
        build.kernel.push(outer, kind, &args, &[I32], &[body], LOC);
        build.barrier();
        build.store(other);
        build.barrier();
        build.load(other, &[]);
    })
}

#[test]
fn slots_take_turns_and_nothing_is_under_way_behind_the_loop() {
    assert_eq!(pipelined(1, 1), Vec::<String>::new());
    // With a distance of 0, the condition of a copy also holds in the last iteration.
    let always = pipelined(0, 1);
    says(&always, "`store_shared $1` at unknown: `copy_async");
    says(&always, "the kernel ends while `copy_async");
    // Every copy goes into stage 0, since the next stage is 0 - 0.
    says(&pipelined(1, 0), "may be under way to the same bytes");
}

#[test]
fn what_has_an_address_shares_no_bytes() {
    let actual = errors(|build| {
        let (a, _) = (build.buffer(1, 0), build.buffer(1, 0));
        build.kernel.buffer_mut(a).is_dedicated = true;
    });
    assert_eq!(actual, ["k: $0 is kept, and shares bytes with $1"]);
}
