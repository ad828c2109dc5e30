//! Memory: that of the device, and what lanes and blocks have of their own.

use std::collections::BTreeMap;

use crate::check::race::Shadow;

/// Where shared memory begins among generic addresses.
pub(crate) const SHARED_WINDOW: u64 = 0x7f00_0000_0000;
/// Where local memory begins among generic addresses.
pub(crate) const LOCAL_WINDOW: u64 = 0x7e00_0000_0000;
/// How long the windows are.
pub(crate) const WINDOW_BYTES: u64 = 1 << 32;

/// Where the first allocation lies.
const FIRST: u64 = 0x10_0000_0000;
/// No access that misses its allocation by less finds another.
const GAP: u64 = 1 << 16;

/// An access by the host to what is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{bytes} bytes at {address:#x} are not within one allocation")]
pub struct MemoryError {
    /// The first byte.
    pub address: u64,
    /// How many.
    pub bytes: u64,
}

/// Why a kernel cannot store somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoStore {
    OutOfBounds,
    ReadOnly,
}

#[derive(Debug)]
struct Allocation {
    base: u64,
    bytes: Vec<u8>,
    /// Only for reading by kernels.
    constant: bool,
}

/// Global memory: allocations with gaps between them, whose addresses depend only on their order.
#[derive(Debug, Default)]
pub struct Memory {
    /// By rising base.
    allocations: Vec<Allocation>,
    /// The one that was last found.
    recent: usize,
    /// Variables of modules: by module, their addresses.
    modules: BTreeMap<u64, Vec<u64>>,
    printed: String,
}

impl Memory {
    /// With nothing in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Room for `bytes` bytes of zeros at a multiple of `align`, which is a power of two.
    pub fn alloc(&mut self, bytes: usize, align: u64) -> u64 {
        self.place(vec![0; bytes], align, false)
    }

    /// Room for these bytes, and the bytes.
    pub fn alloc_with(&mut self, bytes: &[u8], align: u64) -> u64 {
        self.place(bytes.to_vec(), align, false)
    }

    fn place(&mut self, bytes: Vec<u8>, align: u64, constant: bool) -> u64 {
        assert!(align.is_power_of_two(), "an alignment is a power of two");
        let free = match self.allocations.last() {
            Some(last) => last.base + last.bytes.len() as u64 + GAP,
            None => FIRST,
        };
        // Odd multiples of the alignment, so that nothing more is aligned by chance.
        let base = free.next_multiple_of(2 * align) + align;
        self.allocations.push(Allocation {
            base,
            bytes,
            constant,
        });
        base
    }

    fn index(&self, address: u64, bytes: u64) -> Option<usize> {
        let holds = |index: usize| {
            let allocation = self.allocations.get(index)?;
            let offset = address.checked_sub(allocation.base)?;
            (offset.checked_add(bytes)? <= allocation.bytes.len() as u64).then_some(index)
        };
        if let Some(index) = holds(self.recent) {
            return Some(index);
        }
        holds(
            self.allocations
                .partition_point(|allocation| allocation.base <= address)
                .checked_sub(1)?,
        )
    }

    #[inline]
    pub(crate) fn slice(&mut self, address: u64, bytes: usize) -> Option<&[u8]> {
        let index = self.index(address, bytes as u64)?;
        self.recent = index;
        let allocation = &self.allocations[index];
        // Within the allocation.
        let offset = (address - allocation.base) as usize;
        Some(&allocation.bytes[offset..offset + bytes])
    }

    #[inline]
    pub(crate) fn slice_mut(&mut self, address: u64, bytes: usize) -> Result<&mut [u8], NoStore> {
        let index = self
            .index(address, bytes as u64)
            .ok_or(NoStore::OutOfBounds)?;
        self.recent = index;
        let allocation = &mut self.allocations[index];
        if allocation.constant {
            return Err(NoStore::ReadOnly);
        }
        // Within the allocation.
        let offset = (address - allocation.base) as usize;
        Ok(&mut allocation.bytes[offset..offset + bytes])
    }

    /// Writes `bytes` at `address`.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), MemoryError> {
        match self.slice_mut(address, bytes.len()) {
            Ok(slice) => {
                slice.copy_from_slice(bytes);
                Ok(())
            }
            Err(_) => Err(MemoryError {
                address,
                bytes: bytes.len() as u64,
            }),
        }
    }

    /// The `bytes` bytes at `address`.
    pub fn read(&self, address: u64, bytes: usize) -> Result<&[u8], MemoryError> {
        let Some(index) = self.index(address, bytes as u64) else {
            return Err(MemoryError {
                address,
                bytes: bytes as u64,
            });
        };
        let allocation = &self.allocations[index];
        // Within the allocation.
        let offset = (address - allocation.base) as usize;
        Ok(&allocation.bytes[offset..offset + bytes])
    }

    /// All bytes of the allocation that begins at `address`.
    pub fn bytes(&self, address: u64) -> Result<&[u8], MemoryError> {
        match self
            .allocations
            .binary_search_by_key(&address, |allocation| allocation.base)
        {
            Ok(index) => Ok(&self.allocations[index].bytes),
            Err(_) => Err(MemoryError { address, bytes: 0 }),
        }
    }

    pub(crate) fn print(&mut self, text: &str) {
        self.printed.push_str(text);
    }

    /// What kernels printed since this was last called (`printf`).
    pub fn take_printed(&mut self) -> String {
        std::mem::take(&mut self.printed)
    }

    /// The addresses of a module's variables, which are placed on its first launch and then stay.
    pub(crate) fn module(&mut self, id: u64, variables: &[GlobalVariable]) -> Vec<u64> {
        if let Some(addresses) = self.modules.get(&id) {
            return addresses.clone();
        }
        let addresses: Vec<u64> = variables
            .iter()
            .map(|variable| self.place(variable.bytes.clone(), variable.align, variable.constant))
            .collect();
        // Only what was placed just now.
        let first = self.allocations.len() - variables.len();
        for (index, variable) in variables.iter().enumerate() {
            let bytes = &mut self.allocations[first + index].bytes;
            for relocation in &variable.relocations {
                relocation.apply(bytes, addresses[relocation.target as usize]);
            }
        }
        self.modules.insert(id, addresses.clone());
        addresses
    }
}

/// A variable of a module, with its first contents.
#[derive(Debug)]
pub(crate) struct GlobalVariable {
    pub(crate) bytes: Vec<u8>,
    pub(crate) align: u64,
    pub(crate) constant: bool,
    pub(crate) relocations: Vec<Relocation>,
}

/// A part of a variable that is the address of another, plus `addend`.
#[derive(Debug)]
pub(crate) struct Relocation {
    /// In the variable, in bytes.
    pub(crate) offset: usize,
    pub(crate) bytes: usize,
    /// The number of the other variable.
    pub(crate) target: u32,
    pub(crate) addend: i64,
    /// The lowest byte of the address that is kept.
    pub(crate) byte: u32,
}

impl Relocation {
    fn apply(&self, bytes: &mut [u8], address: u64) {
        let value = address.wrapping_add_signed(self.addend) >> (8 * self.byte);
        bytes[self.offset..self.offset + self.bytes]
            .copy_from_slice(&value.to_le_bytes()[..self.bytes]);
    }
}

/// The shared memory of a block.
pub(crate) struct Shared {
    pub(crate) bytes: Vec<u8>,
    pub(crate) shadow: Shadow,
}
