//! Name resolution: registers, constants, special registers, variables, labels.
//!
//! Every operand is a slot of the warp's register file, including constants and special registers,
//! so that execution has a single kind of operand. Slots are assigned on first use.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::ParseError;
pub(crate) use super::specials::Special;
use super::syntax::{RegisterKind, Registers, Space, Variable};
use super::target::{Target, Version};
use crate::isa::needs::Rule;
use crate::isa::types::Type;
use crate::isa::{Pred, Slot};

/// The initial contents of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Content {
    /// Uninitialized: an ordinary register.
    Undefined,
    /// A constant.
    Constant(u64),
    Special(Special),
    /// The address of a module variable, given by its index, plus an offset.
    Global(u32, u64),
    /// The address of an offset in the block's shared memory.
    Shared(u64),
    /// The address of dynamic shared memory, plus an offset.
    DynamicShared(u64),
}

/// The location of a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) space: Space,
    pub(crate) content: Content,
    /// Is `true` for a parameter of a device function, which is kept in local memory.
    pub(crate) of_call: bool,
}

/// A label, which need not be resolved yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LabelId(pub(crate) u32);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Register {
    ty: Type,
    /// The index of the slot or of the predicate.
    index: u32,
}

#[derive(Default)]
struct Scope {
    singles: FxHashMap<String, Type>,
    /// Parameterized registers (`%r<5>`): prefix, type and count.
    families: Vec<(String, Type, u64)>,
    /// Vector registers.
    vectors: Vec<Vector>,
    registers: FxHashMap<String, Register>,
    variables: FxHashMap<String, Place>,
    labels: FxHashMap<String, LabelId>,
    targets: FxHashMap<String, Vec<String>>,
}

#[derive(Clone, Debug)]
struct Vector {
    name: String,
    count: Option<u64>,
    ty: Type,
    lanes: u8,
    /// Is `true` if the register is one 128-bit value, not two 64-bit elements.
    wide: bool,
}

/// The suffixes of the elements of a vector register.
const ELEMENTS: [&str; 4] = ["x", "y", "z", "w"];
const COLORS: [&str; 4] = ["r", "g", "b", "a"];

/// The layout of a kernel's shared memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedLayout {
    pub(crate) bytes: u64,
    pub(crate) dynamic_align: u64,
}

/// A limit above the shared memory of any device, in bytes.
const MAX_SHARED: u64 = 1 << 20;

/// The module-scope names.
#[derive(Default)]
pub(crate) struct Globals {
    pub(crate) places: FxHashMap<String, Place>,
    /// Shared variables, which are allocated in each kernel that uses them.
    pub(crate) shared: FxHashMap<String, Variable>,
    /// Variables that are defined in another module.
    pub(crate) external: FxHashSet<String>,
    pub(crate) functions: FxHashSet<String>,
}

/// The names in scope, and the slots assigned so far.
pub(crate) struct Names {
    pub(crate) version: Version,
    pub(crate) target: Target,
    /// The rules that the version and target do not meet.
    pub(crate) unmet: Vec<&'static Rule>,
    globals: Rc<Globals>,
    pub(crate) shared: SharedLayout,
    /// The scopes of the innermost function, without those of its callers.
    scopes: Vec<Scope>,
    contents: Vec<Content>,
    slots: Vec<String>,
    widths: Vec<u8>,
    by_content: FxHashMap<Content, Slot>,
    /// Module-scope shared variables that the kernel uses.
    placed: FxHashMap<String, Place>,
    preds: Vec<String>,
    always: Option<Pred>,
    /// The instruction index of each label.
    pub(crate) labels: Vec<Option<u32>>,
}

impl Names {
    pub(crate) fn new(version: Version, target: Target, globals: Rc<Globals>) -> Self {
        Self {
            version,
            target,
            unmet: crate::isa::needs::unmet(version, target),
            globals,
            shared: SharedLayout {
                bytes: 0,
                dynamic_align: 1,
            },
            scopes: vec![Scope::default()],
            contents: Vec::new(),
            slots: Vec::new(),
            widths: Vec::new(),
            by_content: FxHashMap::default(),
            placed: FxHashMap::default(),
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

    /// Hides the names of the calling function until [`Self::leave_function`].
    pub(crate) fn enter_function(&mut self) -> Calling {
        Calling(std::mem::replace(&mut self.scopes, vec![Scope::default()]))
    }

    pub(crate) fn leave_function(&mut self, calling: Calling) {
        self.scopes = calling.0;
    }

    pub(crate) fn declare_registers(&mut self, registers: &Registers) {
        let Registers { kind, name, count } = registers;
        let name = name.clone();
        let (ty, lanes, wide) = match *kind {
            RegisterKind::One(ty) => {
                let scope = self.innermost();
                match *count {
                    None => drop(scope.singles.insert(name, ty)),
                    Some(count) => scope.families.push((name, ty, count)),
                }
                return;
            }
            RegisterKind::Vector(ty, lanes) => (ty, lanes, false),
            RegisterKind::Wide => (Type::B64, 2, true),
        };
        self.innermost().vectors.push(Vector {
            name,
            count: *count,
            ty,
            lanes,
            wide,
        });
    }

    /// Declares `name` in the innermost scope as an alias of a register.
    pub(crate) fn declare_as(&mut self, name: &str, register: Register) {
        self.innermost().registers.insert(name.to_owned(), register);
    }

    /// Returns the elements of a vector register, and `true` if they form one 128-bit value.
    pub(crate) fn vector(&self, name: &str) -> Option<(SmallVec<[String; 4]>, bool)> {
        let vector = self
            .scopes
            .iter()
            .rev()
            .find_map(|scope| scope.vectors.iter().find(|vector| vector.holds(name)))?;
        let elements = ELEMENTS[..usize::from(vector.lanes)]
            .iter()
            .map(|element| format!("{name}.{element}"));
        Some((elements.collect(), vector.wide))
    }

    /// Returns `true` if any vector register was declared.
    pub(crate) fn has_vectors(&self) -> bool {
        self.scopes.iter().any(|scope| !scope.vectors.is_empty())
    }

    pub(crate) fn declare_variable(
        &mut self,
        variable: &Variable,
        content: Content,
    ) -> Result<(), ParseError> {
        let place = Place {
            space: variable.space,
            content,
            of_call: false,
        };
        self.declare_place(&variable.name, place)
            .map_err(|message| ParseError::new(variable.line, message))
    }

    pub(crate) fn declare_place(&mut self, name: &str, place: Place) -> Result<(), String> {
        let variables = &mut self.innermost().variables;
        if variables.insert(name.to_owned(), place).is_none() || name == "_" {
            return Ok(());
        }
        Err(format!("`{name}` is declared twice"))
    }

    /// Allocates shared memory of the kernel.
    pub(crate) fn place_shared(&mut self, variable: &Variable) -> Result<Content, ParseError> {
        let shared = &mut self.shared;
        let Some(bytes) = variable.bytes else {
            shared.dynamic_align = shared.dynamic_align.max(variable.align);
            return Ok(Content::DynamicShared(0));
        };
        let offset = shared.bytes.next_multiple_of(variable.align);
        if offset + bytes > MAX_SHARED {
            let message = format!("`{}` is too long for shared memory", variable.name);
            return Err(ParseError::new(variable.line, message));
        }
        shared.bytes = offset + bytes;
        Ok(Content::Shared(offset))
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
                format!("label `{name}` is defined twice"),
            ));
        }
        self.labels.push(None);
        Ok(())
    }

    pub(crate) fn declare_targets(&mut self, name: &str, targets: Vec<String>) {
        self.innermost().targets.insert(name.to_owned(), targets);
    }

    /// Creates an unnamed label.
    pub(crate) fn fresh_label(&mut self) -> LabelId {
        let id = LabelId(u32::try_from(self.labels.len()).expect("fewer labels than instructions"));
        self.labels.push(None);
        id
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

    pub(crate) fn variable(&mut self, name: &str) -> Result<Option<Place>, ParseError> {
        let local = self
            .scopes
            .iter()
            .rev()
            .find_map(|scope| scope.variables.get(name).copied());
        if local.is_some() {
            return Ok(local);
        }
        if let Some(&place) = self.placed.get(name) {
            return Ok(Some(place));
        }
        let globals = Rc::clone(&self.globals);
        if let Some(&place) = globals.places.get(name) {
            return Ok(Some(place));
        }
        let Some(variable) = globals.shared.get(name) else {
            return Ok(None);
        };
        let place = Place {
            space: Space::Shared,
            content: self.place_shared(variable)?,
            of_call: false,
        };
        self.placed.insert(name.to_owned(), place);
        Ok(Some(place))
    }

    /// Explains why a name is not a value.
    pub(crate) fn why_unknown(&mut self, name: &str) -> String {
        if self.pred(name).is_some() {
            format!("`{name}` is a predicate")
        } else if self.globals.external.contains(name) {
            format!("`{name}` is external: its definition must be in this text")
        } else if self.globals.functions.contains(name) {
            format!("`{name}` is a function, whose address is not supported: call it by its name")
        } else if let Some(base) = self.hidden_special(name) {
            format!(
                "`{base}` is declared as a register, which hides the special one: give it another name"
            )
        } else {
            format!("`{name}` is not declared")
        }
    }

    /// Returns the declared register that hides a vector special register such as `%tid.x`.
    fn hidden_special<'n>(&mut self, name: &'n str) -> Option<&'n str> {
        let (base, _) = name.split_once('.')?;
        super::specials::content(name)?;
        self.register(base).map(|_| base)
    }

    /// Resolves a register or predicate by name.
    pub(crate) fn register(&mut self, name: &str) -> Option<Register> {
        let canonical = uncolored(name);
        let name = canonical.as_deref().unwrap_or(name);
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

    /// Resolves a register by name to its slot and declared type.
    pub(crate) fn value(&mut self, name: &str) -> Option<(Slot, Type)> {
        let register = self.register(name)?;
        (register.ty != Type::PRED).then_some((Slot(register.index), register.ty))
    }

    pub(crate) fn pred(&mut self, name: &str) -> Option<Pred> {
        let register = self.register(name)?;
        (register.ty == Type::PRED).then_some(Pred(register.index))
    }

    pub(crate) fn special(&mut self, name: &str) -> Option<(Slot, u8)> {
        if self.hidden_special(name).is_some() {
            return None;
        }
        let (content, bits) = super::specials::content(name)?;
        Some((self.slot_with(content, name, bits), bits))
    }

    pub(crate) fn constant(&mut self, value: u64) -> Slot {
        self.slot_with(Content::Constant(value), "a constant", 64)
    }

    /// Returns the slot with these initial contents.
    pub(crate) fn slot_with(&mut self, content: Content, name: &str, bits: u8) -> Slot {
        if let Some(&slot) = self.by_content.get(&content) {
            return slot;
        }
        let slot = self.fresh(name, bits);
        self.contents[slot.index()] = content;
        self.by_content.insert(content, slot);
        slot
    }

    /// Creates an unnamed slot.
    pub(crate) fn scratch(&mut self) -> Slot {
        self.fresh("_", 64)
    }

    /// Creates an unnamed predicate.
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

    /// Returns the predicate that is always true.
    pub(crate) fn always(&mut self) -> Pred {
        if let Some(pred) = self.always {
            return pred;
        }
        let pred = self.fresh_pred("true");
        self.always = Some(pred);
        pred
    }

    /// Returns the width of a slot's register in bits.
    pub(crate) fn width(&self, slot: Slot) -> u8 {
        self.widths[slot.index()]
    }

    /// Returns the tables of the kernel: contents and names of slots, names of predicates, and the
    /// constant predicate.
    pub(crate) fn finish(self) -> (Vec<Content>, Vec<String>, Vec<String>, Option<Pred>) {
        (self.contents, self.slots, self.preds, self.always)
    }
}

fn declared(scope: &Scope, name: &str) -> Option<Type> {
    if let Some(&ty) = scope.singles.get(name) {
        return Some(ty);
    }
    let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
    // `%r10` may be register 10 of `%r<..>` or register 0 of `%r1<..>`.
    let family = (1..=digits).find_map(|digits| {
        let (base, number) = name.split_at(name.len() - digits);
        let number: u64 = number.parse().ok()?;
        let canonical = digits == 1 || !name[base.len()..].starts_with('0');
        let find = |(family, _, count): &&(String, Type, u64)| family == base && number < *count;
        let &(_, ty, _) = scope.families.iter().find(find)?;
        canonical.then_some(ty)
    });
    if family.is_some() || scope.vectors.is_empty() {
        return family;
    }
    let (base, element) = name.rsplit_once('.')?;
    let element = ELEMENTS.iter().position(|&name| name == element)?;
    let vector = scope.vectors.iter().find(|vector| vector.holds(base))?;
    (element < usize::from(vector.lanes)).then_some(vector.ty)
}

impl Vector {
    fn holds(&self, name: &str) -> bool {
        let Some(number) = name.strip_prefix(self.name.as_str()) else {
            return false;
        };
        match self.count {
            None => number.is_empty(),
            Some(count) => {
                let canonical = number.len() == 1 || !number.starts_with('0');
                canonical && number.parse::<u64>().is_ok_and(|number| number < count)
            }
        }
    }
}

/// Converts a color suffix: `%v.r` is `%v.x`.
fn uncolored(name: &str) -> Option<String> {
    let (base, element) = name.rsplit_once('.')?;
    let index = COLORS.iter().position(|&color| color == element)?;
    Some(format!("{base}.{}", ELEMENTS[index]))
}

/// The names of a calling function.
pub(crate) struct Calling(Vec<Scope>);

fn width(ty: Type) -> u8 {
    u8::try_from(ty.total_bits()).expect("registers have at most 64 bits")
}
