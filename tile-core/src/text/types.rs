//! Parses types. Printing is `Display` of [`Type`].

use super::lexer::TokenKind;
use super::parser::{Parse, Parser};
use super::printer::Printer;
use crate::ir::ValueId;
use crate::types::{
    Element, GatherScatterViewType, PaddingValue, PartitionViewType, Scalar, StridedViewType,
    TensorViewType, TileType, Type, TypeKind,
};

/// The maximum length of the text of a cached type.
const MAX_TYPE_TEXT: usize = 256;

impl<'s> Parser<'s> {
    /// Parses a type, with or without `!cuda_tile.`.
    pub(super) fn parse_type(&mut self) -> Parse<Type> {
        let start = self.token.start;
        let Some(text) = self.type_ahead() else {
            return self.new_type();
        };
        if let Some(&ty) = self.types.get(text) {
            self.rewind(start + text.len());
            return Ok(ty);
        }
        let ty = self.new_type()?;
        self.types.insert(text, ty);
        Ok(ty)
    }

    /// Returns the text of the next type, if it is on one line, starts with a word and names no
    /// alias.
    fn type_ahead(&self) -> Option<&'s str> {
        if self.token.kind != TokenKind::Word {
            return None;
        }
        let text = self.lexer.ahead();
        let word = self.token.text.len();
        let bytes = text.as_bytes();
        if bytes.get(word) != Some(&b'<') {
            return Some(self.token.text);
        }
        let mut open = 0usize;
        for (offset, &byte) in bytes.iter().enumerate().take(MAX_TYPE_TEXT).skip(word) {
            match byte {
                b'<' => open += 1,
                b'>' if bytes[offset - 1] == b'-' => {}
                b'>' if open == 1 => return text.get(..=offset),
                b'>' => open -= 1,
                b'\n' | b'"' | b'!' | b'#' => return None,
                _ => {}
            }
        }
        None
    }

    fn new_type(&mut self) -> Parse<Type> {
        let loc = self.loc();
        if self.peek_foreign_type() {
            return self.foreign_type();
        }
        let prefixed = self.eat("!");
        if prefixed && self.is_at_alias() {
            return self.type_alias();
        }
        if self.token.kind != TokenKind::Word {
            return self.unexpected("a type");
        }
        let word = self.token.text;
        let name = word.strip_prefix("cuda_tile.").unwrap_or(word);
        if prefixed == (name.len() == word.len()) {
            if prefixed && word.contains('.') {
                return self.unknown_type(&format!("!{word}"), loc);
            }
            return self.unexpected("a type");
        }
        let kind = match name {
            "tile" => {
                self.bump();
                TypeKind::Tile(self.tile()?)
            }
            "ptr" => {
                self.bump();
                TypeKind::Ptr(self.pointee()?)
            }
            "tensor_view" => {
                self.bump();
                TypeKind::TensorView(self.tensor_view()?)
            }
            "partition_view" => {
                self.bump();
                TypeKind::PartitionView(self.partition_view()?)
            }
            "strided_view" => {
                self.bump();
                TypeKind::StridedView(self.strided_view()?)
            }
            "gather_scatter_view" => {
                self.bump();
                TypeKind::GatherScatterView(self.gather_scatter_view()?)
            }
            "token" => {
                self.bump();
                TypeKind::Token
            }
            _ => match Scalar::parse(name).filter(|_| !prefixed) {
                Some(scalar) => {
                    self.bump();
                    TypeKind::Scalar(scalar)
                }
                None => return self.unknown_type(word, loc),
            },
        };
        Ok(Type::new(kind))
    }

    /// Parses a number type.
    pub(super) fn scalar(&mut self) -> Parse<Scalar> {
        let parsed = match self.token.kind {
            TokenKind::Word => Scalar::parse(self.token.text),
            _ => None,
        };
        let Some(scalar) = parsed else {
            return self.unexpected("a number type");
        };
        self.bump();
        Ok(scalar)
    }

    /// Parses the `<E>` of a pointer.
    fn pointee(&mut self) -> Parse<Scalar> {
        self.expect("<")?;
        let scalar = self.scalar()?;
        self.expect(">")?;
        Ok(scalar)
    }

    /// Parses `<4x8xE>`.
    fn tile(&mut self) -> Parse<TileType> {
        self.expect("<")?;
        let loc = self.loc();
        let dims = self.dims()?;
        let Some(shape) = dims.into_iter().collect() else {
            return self.syntax(loc, "expected a static shape, found `?`");
        };
        let prefixed = self.eat("!");
        let pointer = if prefixed { "cuda_tile.ptr" } else { "ptr" };
        let element = if prefixed || self.is_at_word(pointer) {
            self.keyword(pointer)?;
            Element::Ptr(self.pointee()?)
        } else {
            Element::Scalar(self.scalar()?)
        };
        self.expect(">")?;
        Ok(TileType { element, shape })
    }

    /// Parses `<?x8xE, strides=[8,1]>`.
    fn tensor_view(&mut self) -> Parse<TensorViewType> {
        self.expect("<")?;
        let shape = self.dims()?;
        let element = self.scalar()?;
        let mut strides = Vec::new();
        if self.eat(",") {
            self.keyword("strides")?;
            self.expect("=")?;
            strides = self.list("[", "]", |parser| {
                if parser.eat("?") {
                    return Ok(None);
                }
                parser.integer().map(Some)
            })?;
        }
        self.expect(">")?;
        Ok(TensorViewType {
            element,
            shape,
            strides,
        })
    }

    /// Parses `<tile=(4x8), padding_value = zero, tensor_view<…>, dim_map=[1, 0]>`.
    fn partition_view(&mut self) -> Parse<PartitionViewType> {
        self.expect("<")?;
        let tile = self.view_tile()?;
        let padding = self.view_padding()?;
        let tensor_view = self.viewed_tensor()?;
        let dim_map = self.view_dim_map(tile.len())?;
        self.expect(">")?;
        Ok(PartitionViewType {
            tile,
            padding,
            tensor_view,
            dim_map,
        })
    }

    /// Parses
    /// `<tile=(4x8), traversal_strides=[2,8], padding_value = zero, tensor_view<…>, dim_map=[1,
    /// 0]>`.
    fn strided_view(&mut self) -> Parse<StridedViewType> {
        self.expect("<")?;
        let tile = self.view_tile()?;
        self.keyword("traversal_strides")?;
        self.expect("=")?;
        let traversal_strides = self.list("[", "]", |parser| parser.small("32-bit stride"))?;
        self.expect(",")?;
        let padding = self.view_padding()?;
        let tensor_view = self.viewed_tensor()?;
        let dim_map = self.view_dim_map(tile.len())?;
        self.expect(">")?;
        Ok(StridedViewType {
            tile,
            traversal_strides,
            padding,
            tensor_view,
            dim_map,
        })
    }

    /// Parses `<tile=(4x8), padding_value = zero, tensor_view<…>, sparse_dim=0>`.
    fn gather_scatter_view(&mut self) -> Parse<GatherScatterViewType> {
        self.expect("<")?;
        let tile = self.view_tile()?;
        let padding = self.view_padding()?;
        let tensor_view = self.viewed_tensor()?;
        self.expect(",")?;
        self.keyword("sparse_dim")?;
        self.expect("=")?;
        let sparse_dim = self.small("axis")?;
        self.expect(">")?;
        Ok(GatherScatterViewType {
            tile,
            padding,
            tensor_view,
            sparse_dim,
        })
    }

    /// Parses `tile=(4x8),`.
    fn view_tile(&mut self) -> Parse<Vec<i32>> {
        self.keyword("tile")?;
        self.expect("=")?;
        let tile = self.tile_extents()?;
        self.expect(",")?;
        Ok(tile)
    }

    /// Parses an optional `padding_value = zero,`.
    fn view_padding(&mut self) -> Parse<Option<PaddingValue>> {
        if !self.eat_word("padding_value") {
            return Ok(None);
        }
        self.expect("=")?;
        let padding = self.one_of(&PaddingValue::ALL, PaddingValue::name)?;
        self.expect(",")?;
        Ok(Some(padding))
    }

    /// Parses a tensor view. Other types are rejected, so that types cannot nest.
    fn viewed_tensor(&mut self) -> Parse<TensorViewType> {
        let prefixed = self.eat("!");
        self.keyword(if prefixed {
            "cuda_tile.tensor_view"
        } else {
            "tensor_view"
        })?;
        self.tensor_view()
    }

    /// Parses an optional `, dim_map=[1, 0]`; the default is the identity.
    fn view_dim_map(&mut self, rank: usize) -> Parse<Vec<i32>> {
        if !self.eat(",") {
            return Ok((0..).take(rank).collect());
        }
        self.keyword("dim_map")?;
        self.expect("=")?;
        self.list("[", "]", |parser| parser.small("axis"))
    }

    /// Parses `(4x8)`.
    fn tile_extents(&mut self) -> Parse<Vec<i32>> {
        if !self.at("(") {
            return self.unexpected("`(`");
        }
        let mut extents = Vec::new();
        if self.lexer.peek_byte() != Some(b')') {
            loop {
                let loc = self.lexer.here();
                let Ok(extent) = self.lexer.digits().parse() else {
                    return self.syntax(loc, "expected a 32-bit extent");
                };
                extents.push(extent);
                if self.lexer.peek_byte() != Some(b'x') {
                    break;
                }
                self.lexer.bump_byte();
            }
        }
        self.bump();
        self.expect(")")?;
        Ok(extents)
    }

    /// Parses `4x?x`, up to the element type.
    fn dims(&mut self) -> Parse<Vec<Option<i64>>> {
        let mut mark = self.token.start;
        let mut dims = Vec::new();
        loop {
            self.lexer.rewind(mark);
            let dim = match self.lexer.peek_byte() {
                Some(b'?') => {
                    self.lexer.bump_byte();
                    None
                }
                Some(b'0'..=b'9') => {
                    let loc = self.lexer.here();
                    let Ok(dim) = self.lexer.digits().parse() else {
                        return self.syntax(loc, "a dimension that does not fit 64 bits");
                    };
                    Some(dim)
                }
                _ => break,
            };
            if self.lexer.peek_byte() != Some(b'x') {
                self.read_again();
                return self.unexpected("`x`");
            }
            self.lexer.bump_byte();
            dims.push(dim);
            mark = self.lexer.position();
        }
        self.read_again();
        Ok(dims)
    }

    /// Parses the types of `values`: one type for all, or one type each.
    pub(super) fn type_or_types_of(&mut self, values: &[ValueId]) -> Parse<()> {
        let loc = self.loc();
        let types = self.comma_list(|parser| Ok((parser.loc(), parser.parse_type()?)))?;
        if types.len() != 1 && types.len() != values.len() {
            let (expected, actual) = (values.len(), types.len());
            return self.syntax(
                loc,
                format!("expected 1 or {expected} types, found {actual}"),
            );
        }
        for (&value, &(loc, ty)) in values.iter().zip(types.iter().cycle()) {
            self.check_type(value, ty, loc);
        }
        Ok(())
    }

    /// Parses a keyword of an enum, which `parse` converts to a value.
    pub(super) fn keyword_of<T: Copy>(
        &mut self,
        parse: fn(&str) -> Option<T>,
        values: &[T],
        name: fn(T) -> &'static str,
    ) -> Parse<T> {
        if self.token.kind == TokenKind::Word
            && let Some(value) = parse(self.token.text)
        {
            self.bump();
            return Ok(value);
        }
        self.one_of(values, name)
    }

    /// Parses one of the keywords of an enum.
    pub(super) fn one_of<T: Copy>(
        &mut self,
        values: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> Parse<T> {
        let word = match self.token.kind {
            TokenKind::Word => self.token.text,
            _ => "",
        };
        if let Some(&variant) = values.iter().find(|&&value| name(value) == word) {
            self.bump();
            return Ok(variant);
        }
        let names: Vec<String> = values
            .iter()
            .map(|&value| format!("`{}`", name(value)))
            .collect();
        self.unexpected(&names.join(" or "))
    }
}

impl Printer<'_> {
    /// Prints the types of the values: one type if all are the same, otherwise one type each.
    pub(super) fn type_or_types(&mut self, values: &[ValueId]) {
        let mut types = values.iter().map(|&value| self.module.ty(value));
        let first = types.next();
        match values {
            [first_value, ..] if types.all(|ty| Some(ty) == first) => self.ty(*first_value),
            _ => self.types(values),
        }
    }

    /// Prints types, separated by commas.
    pub(super) fn type_list(&mut self, types: &[Type]) {
        for (index, &ty) in types.iter().enumerate() {
            let separator = if index > 0 { ", " } else { "" };
            self.out.push_str(separator);
            self.write_type(ty);
        }
    }
}
