//! Names to numbers: registers, constants, special registers, variables, labels.
//!
//! Every value an instruction reads lies in a slot of the warp's register file, also constants and
//! special registers, so that execution has one kind of operand. Slots are given on first use.

use rustc_hash::FxHashMap;

use super::ParseError;
use super::syntax::{Space, Variable};
use super::target::{Target, Version};
use crate::isa::types::Type;
use crate::isa::{Pred, Slot};

/// What a slot holds before the first instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Content {
    /// Nothing: an ordinary register.
    Undefined,
    /// The same in every lane.
    Constant(u64),
    Special(Special),
    /// The address of a variable of the module, by its number, plus an offset.
    Global(u32, u64),
    /// The address of the launch's shared memory of dynamic size, plus an offset.
    DynamicShared(u64),
}

/// A register that the machine sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Special {
    ThreadIndex(usize),
    BlockSize(usize),
    BlockIndex(usize),
    GridSize(usize),
    Lane,
    Warp,
    Warps,
    LanesEqual,
    LanesBelow,
    LanesUpTo,
    LanesAbove,
    LanesFrom,
    DynamicSharedBytes,
    TotalSharedBytes,
    Zero,
}

impl Special {
    fn of(name: &str) -> Option<Self> {
        let axis = |suffix: &str| match suffix {
            "x" => Some(0),
            "y" => Some(1),
            "z" => Some(2),
            _ => None,
        };
        if let Some((base, suffix)) = name.split_once('.') {
            let axis = axis(suffix)?;
            return Some(match base {
                "%tid" => Self::ThreadIndex(axis),
                "%ntid" => Self::BlockSize(axis),
                "%ctaid" => Self::BlockIndex(axis),
                "%nctaid" => Self::GridSize(axis),
                _ => return None,
            });
        }
        Some(match name {
            "%laneid" => Self::Lane,
            "%warpid" => Self::Warp,
            "%nwarpid" => Self::Warps,
            "%lanemask_eq" => Self::LanesEqual,
            "%lanemask_lt" => Self::LanesBelow,
            "%lanemask_le" => Self::LanesUpTo,
            "%lanemask_gt" => Self::LanesAbove,
            "%lanemask_ge" => Self::LanesFrom,
            "%dynamic_smem_size" => Self::DynamicSharedBytes,
            "%total_smem_size" => Self::TotalSharedBytes,
            // One multiprocessor, one grid after the other.
            "%smid" | "%gridid" => Self::Zero,
            _ => return None,
        })
    }

    fn bits(name: &str) -> u8 {
        if name == "%gridid" { 64 } else { 32 }
    }
}

/// Where a variable was placed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) space: Space,
    pub(crate) content: Content,
}

/// A label, before and after its place is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LabelId(pub(crate) u32);

#[derive(Clone, Copy, Debug)]
struct Register {
    ty: Type,
    /// A slot, or a predicate's number.
    index: u32,
}

#[derive(Default)]
struct Scope {
    singles: FxHashMap<String, Type>,
    /// Name without number, and how many.
    families: Vec<(String, Type, u64)>,
    registers: FxHashMap<String, Register>,
    variables: FxHashMap<String, Place>,
    labels: FxHashMap<String, LabelId>,
    targets: FxHashMap<String, Vec<String>>,
}

/// The names that hold at one place of a kernel, and the slots given so far.
pub(crate) struct Names {
    pub(crate) version: Version,
    pub(crate) target: Target,
    scopes: Vec<Scope>,
    contents: Vec<Content>,
    slots: Vec<String>,
    widths: Vec<u8>,
    by_content: FxHashMap<Content, Slot>,
    preds: Vec<String>,
    always: Option<Pred>,
    /// Where each label stands.
    pub(crate) labels: Vec<Option<u32>>,
}

impl Names {
    pub(crate) fn new(version: Version, target: Target) -> Self {
        Self {
            version,
            target,
            scopes: vec![Scope::default()],
            contents: Vec::new(),
            slots: Vec::new(),
            widths: Vec::new(),
            by_content: FxHashMap::default(),
            preds: Vec::new(),
            always: None,
            labels: Vec::new(),
        }
    }

    fn innermost(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("the outermost scope stays")
    }

    pub(crate) fn enter(&mut self) {
        self.scopes.push(Scope::default());
    }

    pub(crate) fn leave(&mut self) {
        self.scopes.pop();
    }

    pub(crate) fn declare_registers(&mut self, ty: Type, name: &str, count: Option<u64>) {
        match count {
            None => {
                self.innermost().singles.insert(name.to_owned(), ty);
            }
            Some(count) => self.innermost().families.push((name.to_owned(), ty, count)),
        }
    }

    pub(crate) fn declare_variable(
        &mut self,
        variable: &Variable,
        content: Content,
    ) -> Result<(), ParseError> {
        let place = Place {
            space: variable.space,
            content,
        };
        let variables = &mut self.innermost().variables;
        if variables.insert(variable.name.clone(), place).is_none() {
            return Ok(());
        }
        let message = format!("`{}` is declared twice", variable.name);
        Err(ParseError::new(variable.line, message))
    }

    pub(crate) fn declare_label(&mut self, name: &str, line: u32) -> Result<(), ParseError> {
        let id = LabelId(u32::try_from(self.labels.len()).expect("fewer labels than characters"));
        if self
            .innermost()
            .labels
            .insert(name.to_owned(), id)
            .is_some()
        {
            return Err(ParseError::new(
                line,
                format!("label `{name}` is set twice"),
            ));
        }
        self.labels.push(None);
        Ok(())
    }

    pub(crate) fn declare_targets(&mut self, name: &str, targets: Vec<String>) {
        self.innermost().targets.insert(name.to_owned(), targets);
    }

    pub(crate) fn label(&self, name: &str) -> Option<LabelId> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.labels.get(name).copied())
    }

    pub(crate) fn targets(&self, name: &str) -> Option<&[String]> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.targets.get(name).map(Vec::as_slice))
    }

    pub(crate) fn variable(&self, name: &str) -> Option<Place> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.variables.get(name).copied())
    }

    /// The register of that name: its type, and its slot or predicate number.
    fn register(&mut self, name: &str) -> Option<Register> {
        let depth = (0..self.scopes.len()).rev().find(|&depth| {
            let scope = &self.scopes[depth];
            scope.registers.contains_key(name) || declared(scope, name).is_some()
        })?;
        if let Some(&register) = self.scopes[depth].registers.get(name) {
            return Some(register);
        }
        let ty = declared(&self.scopes[depth], name)?;
        let index = if ty == Type::PRED {
            self.fresh_pred(name).0
        } else {
            self.fresh(name, width(ty)).0
        };
        let register = Register { ty, index };
        self.scopes[depth]
            .registers
            .insert(name.to_owned(), register);
        Some(register)
    }

    /// The slot of a register that holds values; the type it was declared with.
    pub(crate) fn value(&mut self, name: &str) -> Option<(Slot, Type)> {
        let register = self.register(name)?;
        (register.ty != Type::PRED).then_some((Slot(register.index), register.ty))
    }

    pub(crate) fn pred(&mut self, name: &str) -> Option<Pred> {
        let register = self.register(name)?;
        (register.ty == Type::PRED).then_some(Pred(register.index))
    }

    pub(crate) fn special(&mut self, name: &str) -> Option<Slot> {
        let special = Special::of(name)?;
        Some(self.known(Content::Special(special), name, Special::bits(name)))
    }

    pub(crate) fn constant(&mut self, value: u64) -> Slot {
        self.known(Content::Constant(value), "a constant", 64)
    }

    /// The slot that holds `content` from the start.
    pub(crate) fn known(&mut self, content: Content, name: &str, bits: u8) -> Slot {
        if let Some(&slot) = self.by_content.get(&content) {
            return slot;
        }
        let slot = self.fresh(name, bits);
        self.contents[slot.index()] = content;
        self.by_content.insert(content, slot);
        slot
    }

    /// A slot of no name.
    pub(crate) fn scratch(&mut self) -> Slot {
        self.fresh("_", 64)
    }

    /// A predicate of no name.
    pub(crate) fn scratch_pred(&mut self) -> Pred {
        self.fresh_pred("_")
    }

    fn fresh(&mut self, name: &str, bits: u8) -> Slot {
        let slot = Slot(u32::try_from(self.contents.len()).expect("fewer slots than characters"));
        self.contents.push(Content::Undefined);
        self.slots.push(name.to_owned());
        self.widths.push(bits);
        slot
    }

    fn fresh_pred(&mut self, name: &str) -> Pred {
        let index = u32::try_from(self.preds.len()).expect("fewer slots than characters");
        self.preds.push(name.to_owned());
        Pred(index)
    }

    /// The predicate that always holds.
    pub(crate) fn always(&mut self) -> Pred {
        if let Some(pred) = self.always {
            return pred;
        }
        let pred = self.fresh_pred("true");
        self.always = Some(pred);
        pred
    }

    /// How wide the register of a slot is.
    pub(crate) fn width(&self, slot: Slot) -> u8 {
        self.widths[slot.index()]
    }

    /// What the kernel keeps: contents and names of slots, names of predicates, the constant one.
    pub(crate) fn finish(self) -> (Vec<Content>, Vec<String>, Vec<String>, Option<Pred>) {
        (self.contents, self.slots, self.preds, self.always)
    }
}

fn declared(scope: &Scope, name: &str) -> Option<Type> {
    if let Some(&ty) = scope.singles.get(name) {
        return Some(ty);
    }
    let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
    // `%r10` may be of a family `%r` or of a family `%r1`.
    (1..=digits).find_map(|digits| {
        let (base, number) = name.split_at(name.len() - digits);
        let number: u64 = number.parse().ok()?;
        let canonical = digits == 1 || !name[base.len()..].starts_with('0');
        let find = |(family, _, count): &&(String, Type, u64)| family == base && number < *count;
        let &(_, ty, _) = scope.families.iter().find(find)?;
        canonical.then_some(ty)
    })
}

fn width(ty: Type) -> u8 {
    u8::try_from(ty.total_bits()).expect("registers have at most 64 bits")
}
