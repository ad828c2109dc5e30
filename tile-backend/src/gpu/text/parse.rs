//! Parses kernels.

use super::cursor::{Cursor, ParseError, Parsed};
use super::print::dims_of;
use super::{Codec, Field, Optional, header};
use crate::gpu::kernel::{BlockId, Kernel, LayoutId, Param, ParamKind, Ty, ValueId};
use crate::gpu::{OpKind, TensorMap};
use crate::layout::LinearLayout;
use std::collections::BTreeSet;
use tile_core::{Loc, Scalar};

/// Maximum number of a value, so that a text cannot ask for much memory.
const MAX_VALUE: usize = 1 << 20;

/// Maximum number of blocks around an operation.
const MAX_DEPTH: usize = 64;

/// Returns the kernel that [`to_text`](super::to_text) printed. Checks names and the numbers of operands,
/// results and blocks; [`verify`](crate::gpu::verify()) checks everything else.
pub fn from_text(text: &str) -> Result<Kernel, ParseError> {
    let mut parser = Parser {
        cursor: Cursor::new(text),
        kernel: Kernel::new("", 1, Loc::UNKNOWN),
        defined: BTreeSet::new(),
    };
    parser.kernel()?;
    Ok(parser.kernel)
}

struct Parser<'t> {
    cursor: Cursor<'t>,
    kernel: Kernel,
    /// The values that have been defined so far.
    defined: BTreeSet<usize>,
}

impl Parser<'_> {
    fn kernel(&mut self) -> Parsed<()> {
        self.cursor.blank_lines();
        self.cursor.expect("kernel")?;
        self.kernel.name = Codec::parse(&mut self.cursor)?;
        header::parse(&mut self.kernel, &mut self.cursor)?;
        self.cursor.expect("{")?;
        self.cursor.end_line()?;
        self.layouts()?;
        self.buffers()?;
        self.declarations()?;
        self.params()?;
        self.maps()?;
        self.block(self.kernel.body(), 0)?;
        self.cursor.expect("}")?;
        self.cursor.end_line()?;
        if self.cursor.rest().is_empty() {
            Ok(())
        } else {
            Err(self.cursor.expected("the end of the text"))
        }
    }

    /// Takes `sign` and a number, which must be that of the next declaration.
    fn number(&mut self, sign: &str, next: usize) -> Parsed<()> {
        let mut start = self.cursor.clone();
        self.cursor.expect(sign)?;
        let number: usize = self.cursor.number()?;
        if number != next {
            return Err(start.error(format!("expected `{sign}{next}`, found `{sign}{number}`")));
        }
        self.cursor.expect("=")
    }

    fn layouts(&mut self) -> Parsed<()> {
        while self.cursor.rest().starts_with('#') {
            let mut start = self.cursor.clone();
            let next = self.cursor.layouts;
            self.number("#", next)?;
            let layout = LinearLayout::parse(&mut self.cursor)?;
            if self.kernel.add_layout(layout).index() != next {
                return Err(start.error("the same layout has another number"));
            }
            self.cursor.layouts += 1;
            self.cursor.end_line()?;
        }
        Ok(())
    }

    fn buffers(&mut self) -> Parsed<()> {
        while self.cursor.rest().starts_with('$') {
            let next = self.cursor.buffers;
            self.number("$", next)?;
            self.cursor.expect("buffer")?;
            let buffer = Codec::parse(&mut self.cursor)?;
            self.kernel.add_buffer(buffer);
            self.cursor.buffers += 1;
            self.cursor.end_line()?;
        }
        Ok(())
    }

    /// Takes variables and arenas.
    fn declarations(&mut self) -> Parsed<()> {
        while self.cursor.eat_word("variable") {
            self.cursor.expect("=")?;
            let variable = Codec::parse(&mut self.cursor)?;
            self.kernel.variables.push(variable);
            self.cursor.end_line()?;
        }
        while self.cursor.eat_word("arena") {
            self.cursor.expect("=")?;
            let arena = Codec::parse(&mut self.cursor)?;
            self.kernel.arenas.push(arena);
            self.cursor.end_line()?;
        }
        Ok(())
    }

    fn params(&mut self) -> Parsed<()> {
        loop {
            let start = self.cursor.clone();
            if !self.cursor.rest().starts_with('%') {
                return Ok(());
            }
            let number = self.value_number()?;
            self.cursor.expect("=")?;
            if !self.cursor.eat_word("param") {
                // The first operation.
                self.cursor = start;
                return Ok(());
            }
            let kind = ParamKind::parse(&mut self.cursor)?;
            let value = self.define(number, kind.ty(), start)?;
            self.kernel.params.push(Param { kind, value });
            self.cursor.end_line()?;
        }
    }

    fn maps(&mut self) -> Parsed<()> {
        while self.cursor.rest().starts_with('!') {
            self.number("!", self.cursor.maps)?;
            self.cursor.expect("map")?;
            let mut start = self.cursor.clone();
            let map = TensorMap::from_text(self.cursor.line());
            let map = map.ok_or_else(|| start.error("this is no tensor map"))?;
            self.kernel.maps.push(map);
            self.cursor.maps += 1;
            self.cursor.end_line()?;
        }
        Ok(())
    }

    fn block(&mut self, block: BlockId, depth: usize) -> Parsed<()> {
        if depth > MAX_DEPTH {
            return Err(self.cursor.error("blocks are nested too deeply"));
        }
        while !self.cursor.rest().starts_with('}') {
            self.op(block, depth)?;
        }
        Ok(())
    }

    fn op(&mut self, block: BlockId, depth: usize) -> Parsed<()> {
        let mut names = Vec::new();
        while self.cursor.rest().starts_with('%') {
            let start = self.cursor.clone();
            names.push((self.value_number()?, start));
            if !self.cursor.eat(",") {
                self.cursor.expect("=")?;
                break;
            }
        }
        let mut start = self.cursor.clone();
        let kind = OpKind::parse(&mut self.cursor)?;
        let distance: Option<u32> = Optional("ahead").parse(&mut self.cursor)?;
        let number: Option<u32> = Optional("token").parse(&mut self.cursor)?;
        let args = self.operands()?;
        let types = self.types()?;
        if types.len() != names.len() {
            let (names, types) = (names.len(), types.len());
            return Err(start.error(format!("{names} results have {types} types")));
        }
        let (mnemonic, row) = (kind.mnemonic(), kind.row());
        // The results are defined after the blocks, which cannot use them.
        let id = self.kernel.add_op(kind, &args, &[], &[], Loc::UNKNOWN);
        self.kernel.block_mut(block).ops.push(id);
        self.kernel
            .requests
            .prefetch_distances
            .extend(distance.map(|distance| (id, distance)));
        self.kernel
            .order
            .numbers
            .extend(number.map(|number| (id, number)));
        while self.cursor.rest().starts_with(['(', '{']) {
            let inner = self.kernel.add_block();
            self.kernel.op_mut(id).blocks.push(inner);
            self.block_args(inner)?;
            self.cursor.expect("{")?;
            self.cursor.end_line()?;
            self.block(inner, depth + 1)?;
            self.cursor.expect("}")?;
            if !self.cursor.eat_word("else") {
                break;
            }
        }
        for ((number, start), ty) in names.into_iter().zip(types) {
            let value = self.define(number, ty, start)?;
            self.kernel.op_mut(id).results.push(value);
        }
        let op = self.kernel.op(id);
        for (count, range, what) in [
            (op.args.len(), row.operands, "operands"),
            (op.results.len(), row.results, "results"),
            (op.blocks.len(), row.blocks, "blocks"),
        ] {
            if !range.contains(count) {
                return Err(start.error(format!("`{mnemonic}` has {range} {what}, not {count}")));
            }
        }
        self.cursor.end_line()
    }

    fn operands(&mut self) -> Parsed<Vec<ValueId>> {
        let mut args = Vec::new();
        while self.cursor.rest().starts_with('%') {
            let mut start = self.cursor.clone();
            let number = self.value_number()?;
            if !self.defined.contains(&number) {
                return Err(start.error(format!("undefined value `%{number}`")));
            }
            args.push(ValueId::new(number));
            if !self.cursor.eat(",") {
                break;
            }
        }
        Ok(args)
    }

    fn types(&mut self) -> Parsed<Vec<Ty>> {
        let mut types = Vec::new();
        if self.cursor.eat(":") {
            types.push(self.ty()?);
            while self.cursor.eat(",") {
                types.push(self.ty()?);
            }
        }
        Ok(types)
    }

    fn block_args(&mut self, block: BlockId) -> Parsed<()> {
        if !self.cursor.eat("(") {
            return Ok(());
        }
        loop {
            let start = self.cursor.clone();
            let number = self.value_number()?;
            self.cursor.expect(":")?;
            let ty = self.ty()?;
            let value = self.define(number, ty, start)?;
            self.kernel.block_mut(block).args.push(value);
            if !self.cursor.eat(",") {
                return self.cursor.expect(")");
            }
        }
    }

    fn value_number(&mut self) -> Parsed<usize> {
        self.cursor.index("%", MAX_VALUE, "value")
    }

    /// Defines the value with this number, which is named at `start`.
    fn define(&mut self, number: usize, ty: Ty, mut start: Cursor<'_>) -> Parsed<ValueId> {
        if !self.defined.insert(number) {
            return Err(start.error(format!("`%{number}` is defined twice")));
        }
        Ok(self.kernel.define_value(number, ty))
    }

    fn ty(&mut self) -> Parsed<Ty> {
        if self.cursor.eat("ptr<") {
            let pointee = <Scalar as Codec>::parse(&mut self.cursor)?;
            self.cursor.expect(">")?;
            return Ok(Ty::Pointer(pointee));
        }
        let mut start = self.cursor.clone();
        let word = self.cursor.word("a type")?;
        let (dims, element) = match word.rfind('x') {
            Some(end) => word.split_at(end + 1),
            None => ("", word),
        };
        let element = Scalar::parse(element);
        let element = element.ok_or_else(|| start.error(format!("unknown type `{word}`")))?;
        if !self.cursor.rest().starts_with('#') && dims.is_empty() {
            return Ok(Ty::Uniform(element));
        }
        let layout = LayoutId::parse(&mut self.cursor)?;
        let sizes = self.kernel.layout(layout).shape().sizes();
        let expected = dims_of(&sizes);
        if dims != expected {
            let text = format!("the layout is for tiles of `{expected}{element}`, not `{word}`");
            return Err(start.error(text));
        }
        Ok(Ty::Distributed { element, layout })
    }
}
