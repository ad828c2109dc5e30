//! Variables of a module: `global` and `get_global`.
//!
//! They are created together with their [`Program`](super::Program), hold the initial elements that
//! the module states, and persist between launches: a launch reads what an earlier one stored. A
//! launch that may store to a variable has exclusive access to all of them, and other launches
//! wait; launches that only load run concurrently.

use super::allocation::Allocation;
use super::buffers::{BufferFacts, Buffers, Origin, Pointer};
use super::compile::Compiler;
use super::core::stored;
use super::tile::{Data, Lane, with_lane};
use crate::ir::{Attr, Module, Op};
use crate::types::{Scalar, Type};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The variables of a program.
#[derive(Debug, Default)]
pub(super) struct Globals {
    list: Vec<Global>,
    access: RwLock<()>,
}

#[derive(Debug)]
struct Global {
    memory: Allocation,
    origin: Origin,
}

/// A lock on the variables, held while a launch runs.
#[derive(Debug)]
pub(super) enum Access<'a> {
    /// There are no variables, or only constants.
    Free,
    Shared(#[expect(dead_code, reason = "held, not read")] RwLockReadGuard<'a, ()>),
    Exclusive(#[expect(dead_code, reason = "held, not read")] RwLockWriteGuard<'a, ()>),
}

impl Globals {
    /// Allocates the variables of a module. Returns `None` if memory is exhausted.
    pub(super) fn new(module: &Module) -> Option<Self> {
        let list = module.globals().map(|id| Global::new(module.op(id)));
        Some(Self {
            list: list.collect::<Option<_>>()?,
            access: RwLock::default(),
        })
    }

    /// Waits until a launch that stores to the variables marked in `stored` may use them.
    pub(super) fn access(&self, stored: &[bool]) -> Access<'_> {
        let changes = |global: &Global| global.origin == Origin::Global;
        if !self.list.iter().any(changes) {
            return Access::Free;
        }
        // The lock protects no data that a panic could have left inconsistent.
        if stored.contains(&true) {
            let guard = self.access.write();
            Access::Exclusive(guard.unwrap_or_else(PoisonError::into_inner))
        } else {
            let guard = self.access.read();
            Access::Shared(guard.unwrap_or_else(PoisonError::into_inner))
        }
    }

    /// Adds the variables to the buffers of a launch, after the arguments. Concurrent blocks may
    /// store to those marked in `contended`.
    pub(super) fn add_to(
        &self,
        buffers: &mut Buffers,
        stored: &[bool],
        contended: impl Fn(usize) -> bool,
    ) {
        for (number, Global { memory, origin }) in self.list.iter().enumerate() {
            let facts = BufferFacts {
                bytes: memory.bytes(),
                origin: *origin,
                number: u32::try_from(number).expect("few variables"),
                stored: stored[number],
                initialized: true,
            };
            let contended = *origin == Origin::Global && contended(number);
            // SAFETY: the memory lives as long as the program, which outlives the launch, and
            // `access` prevents other launches from storing to it.
            unsafe { buffers.add(memory.start(), facts, contended) };
        }
    }
}

impl Global {
    fn new(op: &Op) -> Option<Self> {
        let (ty, dense) = match (op.attr("value_type"), op.attr("value")) {
            (Some(Attr::Type(ty)), Some(Attr::Dense(dense))) => (ty, dense),
            other => panic!("verified code has elements here, found {other:?}"),
        };
        let alignment = match op.attr("alignment") {
            Some(&Attr::Int(alignment)) => alignment,
            _ => 0,
        };
        let (scalar, count) = elements(*ty);
        let data = stored(dense, count);
        let bytes = in_memory(scalar, &data);
        let natural = scalar.bytes().next_power_of_two();
        let alignment = usize::try_from(alignment).ok()?.max(natural);
        let memory = Allocation::zeroed(bytes.len(), alignment)?;
        // SAFETY: the memory is new and has that many bytes.
        unsafe {
            let start = memory.start();
            start.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        let origin = if op.has_flag("constant") {
            Origin::Constant
        } else {
            Origin::Global
        };
        Some(Self { memory, origin })
    }
}

fn elements(ty: Type) -> (Scalar, usize) {
    let (scalar, shape) = ty.as_number_tile().expect("verified code has numbers here");
    let count: i64 = shape.iter().product();
    (
        scalar,
        usize::try_from(count).expect("extents are positive"),
    )
}

/// Returns the bytes of elements: two 4-bit elements per byte, the first in the low bits.
fn in_memory(scalar: Scalar, data: &Data) -> Vec<u8> {
    if scalar.bits() == 4 {
        let nibble = |index| u8::from_bits(data.bits_at(index) & 0xf);
        let pairs = (0..data.len()).step_by(2);
        return pairs
            .map(|low| nibble(low) | nibble(low + 1) << 4)
            .collect();
    }
    with_lane!(data.storage(), L => {
        let elements = L::lanes(data).iter();
        elements.flat_map(|lane| lane.to_bits().to_le_bytes().into_iter().take(size_of::<L>())).collect()
    })
}

/// Returns the index of the variable that `get_global` names, among the variables of the module.
pub(super) fn number(module: &Module, op: &Op) -> usize {
    let name = match op.attr("name") {
        Some(Attr::Symbol(name)) => name,
        other => panic!("verified code has a name here, found {other:?}"),
    };
    module
        .globals()
        .position(|id| module.op(id).sym_name() == *name)
        .expect("verified code names a variable of the module")
}

/// Compiles `get_global`: the pointer is constant.
pub(super) fn get_global(cx: &mut Compiler<'_>, op: &Op) {
    let number = cx.pointer_params + number(cx.module, op);
    let pointer = Pointer {
        buffer: u32::try_from(number).expect("few variables"),
        offset: 0,
    };
    let slot = cx.result(op);
    cx.constant(slot, Data::Ptr(vec![pointer]));
}
