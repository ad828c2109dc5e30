//! The description of a kernel that the host side needs: name, generics, parameters and listed
//! instances.
//!
//! The description is built only from the parsed item and the attribute. The host stub depends on
//! nothing else besides the artifacts.
//!
//! Invariants: every type and const parameter has a value in every instance, in the order of
//! declaration; a kernel without generics has one instance with two empty lists; types that exist
//! only inside kernels do not occur.

use proc_macro2::Ident;
use tile_backend::session::ScheduleOptions;
use tile_core::Scalar;

/// A kernel as the host sees it.
#[derive(Clone)]
pub(crate) struct Signature {
    /// The documentation, `#[cfg]` and lint attributes, in order.
    pub(crate) attrs: Vec<syn::Attribute>,
    /// Visibility as written.
    pub(crate) vis: syn::Visibility,
    /// `true` for an `unsafe fn`.
    pub(crate) is_unsafe: bool,
    /// The name of the function.
    pub(crate) ident: Ident,
    /// Type parameters in the order of declaration.
    pub(crate) type_params: Vec<TypeParam>,
    /// Const parameters in the order of declaration (after the types).
    pub(crate) const_params: Vec<ConstParam>,
    /// Value parameters in order.
    pub(crate) params: Vec<Param>,
    /// The expression of `grid = ..`, over the value parameters.
    pub(crate) grid: Option<syn::Expr>,
    /// Every instance to compile.
    pub(crate) instances: Vec<Instance>,
    /// `true` for the axes of the grid along which a launch may have only one block.
    pub(crate) single: [bool; 3],
    /// The maximum number of blocks along each axis of the grid, if it is below the hardware limit.
    pub(crate) max_blocks: [Option<u32>; 3],
    /// The parameters that the tuner chooses: `tune(..)`.
    pub(crate) tuning: Option<Tuning>,
}

impl Signature {
    /// Returns the indices of the const parameters whose values the tuner does not choose.
    pub(crate) fn fixed_consts(&self, tuning: &Tuning) -> Vec<usize> {
        (0..self.const_params.len())
            .filter(|index| !tuning.params.contains(index))
            .collect()
    }

    /// Returns the indices of the instances, those between which the tuner chooses together.
    pub(crate) fn tuned_groups(&self, tuning: &Tuning) -> Vec<Vec<usize>> {
        let fixed = self.fixed_consts(tuning);
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (index, instance) in self.instances.iter().enumerate() {
            let is_alike = |other: &Instance| {
                let mut values = fixed.iter();
                other.types == instance.types
                    && values.all(|&index| other.consts[index] == instance.consts[index])
            };
            match groups
                .iter_mut()
                .find(|group| is_alike(&self.instances[group[0]]))
            {
                Some(group) => group.push(index),
                None => groups.push(vec![index]),
            }
        }
        groups
    }
}

/// The parameters that the tuner chooses, and the numbers of a launch by which it does.
#[derive(Clone, Debug)]
pub(crate) struct Tuning {
    /// The indices of the const parameters whose values it chooses.
    pub(crate) params: Vec<usize>,
    /// The number of instances that are compiled for each architecture, if it is limited.
    pub(crate) candidates: Option<usize>,
    /// The numbers of the key.
    pub(crate) key: Vec<KeyItem>,
}

/// A number of a launch by which the tuner chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyItem {
    /// The index of the parameter.
    pub(crate) param: usize,
    /// The axis of a tensor; `None` for an integer.
    pub(crate) axis: Option<usize>,
    /// The numbers that count as alike.
    pub(crate) class: KeyClass,
}

/// The numbers of a key that count as alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum KeyClass {
    /// Those between the same powers of two that are divisible by the same power of two up to 16.
    #[default]
    BucketAndDivisor,
    /// Those between the same powers of two.
    Bucket,
    /// Those that are divisible by the same power of two up to 16.
    Divisor,
    /// Equal ones.
    Exact,
}

impl KeyClass {
    /// The classes that an author can write, with their names.
    pub(crate) const ALL: [(&str, KeyClass); 3] = [
        ("exact", KeyClass::Exact),
        ("bucket", KeyClass::Bucket),
        ("divisor", KeyClass::Divisor),
    ];
}

/// `T: Element`.
#[derive(Clone)]
pub(crate) struct TypeParam {
    /// Its name.
    pub(crate) ident: Ident,
}

/// `const N: usize`.
#[derive(Clone)]
pub(crate) struct ConstParam {
    /// Its name.
    pub(crate) ident: Ident,
    /// Its type: an integer or `bool`.
    pub(crate) ty: HostScalar,
}

/// A value parameter.
#[derive(Clone)]
pub(crate) struct Param {
    /// Its name.
    pub(crate) ident: Ident,
    /// The kind of the parameter.
    pub(crate) kind: ParamKind,
}

/// The kind of a value parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParamKind {
    /// `&Tensor<T, R>` or `&mut Tensor<T, R>`.
    Tensor {
        /// The type of the elements.
        element: ElementRef,
        /// The number of axes, from 1 to 8.
        rank: usize,
        /// `true` for `&mut`.
        mutable: bool,
    },
    /// A number by value.
    Scalar(ElementRef),
    /// `*const T` or `*mut T`.
    Pointer {
        /// The type of the elements.
        element: ElementRef,
        /// `true` for `*mut`.
        mutable: bool,
    },
}

/// An element type as written: a type, or a type parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ElementRef {
    /// A type.
    Concrete(HostScalar),
    /// The type parameter with this index.
    Param(usize),
}

impl ElementRef {
    /// Returns `true` for an integer, whatever the instance.
    pub(crate) fn is_integer(self) -> bool {
        matches!(self, ElementRef::Concrete(scalar) if scalar.is_integer())
    }

    /// Returns the element type in an instance.
    pub(crate) fn bind(self, instance: &Instance) -> HostScalar {
        match self {
            ElementRef::Concrete(scalar) => scalar,
            ElementRef::Param(index) => instance.types[index],
        }
    }
}

/// One choice of type arguments and const arguments.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Instance {
    /// One type per type parameter.
    pub(crate) types: Vec<HostScalar>,
    /// One value per const parameter; a `bool` is 0 or 1.
    pub(crate) consts: Vec<i128>,
    /// The options for the schedule that depend on the const parameters.
    pub(crate) schedule: ScheduleOptions,
}

/// A number type as Rust spells it, which includes the signedness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum HostScalar {
    /// `bool`
    Bool,
    /// `i8`
    I8,
    /// `i16`
    I16,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `u8`
    U8,
    /// `u16`
    U16,
    /// `u32`
    U32,
    /// `u64`
    U64,
    /// `usize`; always 64 bits
    Usize,
    /// `f16`
    F16,
    /// `bf16`
    Bf16,
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// `f8e4m3`: only for storage, conversions and matmuls
    F8e4m3,
    /// `f8e5m2`: only for storage, conversions and matmuls
    F8e5m2,
    /// `f8e8m0`: a power of two; only for storage, conversions and as a scale of matmuls
    F8e8m0,
    /// `f4e2m1`: only inside kernels, never in a signature
    F4e2m1,
    /// `tf32`: only inside kernels, never in a signature
    Tf32,
}

impl HostScalar {
    /// Every type; those that exist only inside kernels are last.
    pub(crate) const ALL: [HostScalar; 19] = [
        HostScalar::Bool,
        HostScalar::I8,
        HostScalar::I16,
        HostScalar::I32,
        HostScalar::I64,
        HostScalar::U8,
        HostScalar::U16,
        HostScalar::U32,
        HostScalar::U64,
        HostScalar::Usize,
        HostScalar::F16,
        HostScalar::Bf16,
        HostScalar::F32,
        HostScalar::F64,
        HostScalar::F8e4m3,
        HostScalar::F8e5m2,
        HostScalar::F8e8m0,
        HostScalar::F4e2m1,
        HostScalar::Tf32,
    ];

    /// Returns the Rust spelling.
    pub(crate) fn name(self) -> &'static str {
        match self {
            HostScalar::Bool => "bool",
            HostScalar::I8 => "i8",
            HostScalar::I16 => "i16",
            HostScalar::I32 => "i32",
            HostScalar::I64 => "i64",
            HostScalar::U8 => "u8",
            HostScalar::U16 => "u16",
            HostScalar::U32 => "u32",
            HostScalar::U64 => "u64",
            HostScalar::Usize => "usize",
            HostScalar::F16 => "f16",
            HostScalar::Bf16 => "bf16",
            HostScalar::F32 => "f32",
            HostScalar::F64 => "f64",
            HostScalar::F8e4m3 => "f8e4m3",
            HostScalar::F8e5m2 => "f8e5m2",
            HostScalar::F8e8m0 => "f8e8m0",
            HostScalar::F4e2m1 => "f4e2m1",
            HostScalar::Tf32 => "tf32",
        }
    }

    /// Returns the type with the given Rust spelling.
    pub(crate) fn parse(name: &str) -> Option<HostScalar> {
        Self::ALL.into_iter().find(|scalar| scalar.name() == name)
    }

    /// Returns the type in the IR, whose integers are signless.
    pub(crate) fn scalar(self) -> Scalar {
        match self {
            HostScalar::Bool => Scalar::I1,
            HostScalar::I8 | HostScalar::U8 => Scalar::I8,
            HostScalar::I16 | HostScalar::U16 => Scalar::I16,
            HostScalar::I32 | HostScalar::U32 => Scalar::I32,
            HostScalar::I64 | HostScalar::U64 | HostScalar::Usize => Scalar::I64,
            HostScalar::F16 => Scalar::F16,
            HostScalar::Bf16 => Scalar::BF16,
            HostScalar::F32 => Scalar::F32,
            HostScalar::F64 => Scalar::F64,
            HostScalar::F8e4m3 => Scalar::F8E4M3FN,
            HostScalar::F8e5m2 => Scalar::F8E5M2,
            HostScalar::F8e8m0 => Scalar::F8E8M0FNU,
            HostScalar::F4e2m1 => Scalar::F4E2M1FN,
            HostScalar::Tf32 => Scalar::TF32,
        }
    }

    /// Returns `true` for signed integers.
    pub(crate) fn is_signed(self) -> bool {
        matches!(
            self,
            HostScalar::I8 | HostScalar::I16 | HostScalar::I32 | HostScalar::I64
        )
    }

    /// Returns `true` for integers, which `bool` does not belong to.
    pub(crate) fn is_integer(self) -> bool {
        self.is_signed()
            || matches!(
                self,
                HostScalar::U8
                    | HostScalar::U16
                    | HostScalar::U32
                    | HostScalar::U64
                    | HostScalar::Usize
            )
    }

    /// Returns `true` for floats, including `tf32`.
    pub(crate) fn is_float(self) -> bool {
        self.scalar().is_float()
    }

    /// Returns `true` for floats that kernels compute with: `f16`, `bf16`, `f32`, `f64`.
    pub(crate) fn has_float_arithmetic(self) -> bool {
        self.scalar().is_base_float()
    }

    /// Returns `true` for types that exist only inside kernels.
    pub(crate) fn is_kernel_only(self) -> bool {
        matches!(self, HostScalar::Tf32 | HostScalar::F4e2m1)
    }

    /// Returns the unsigned integer with the width of a signed one; other types are unchanged.
    pub(crate) fn unsigned(self) -> HostScalar {
        match self {
            HostScalar::I8 => HostScalar::U8,
            HostScalar::I16 => HostScalar::U16,
            HostScalar::I32 => HostScalar::U32,
            HostScalar::I64 => HostScalar::U64,
            other => other,
        }
    }

    /// Returns the unsigned integer with the width of a float, if there is one.
    pub(crate) fn bits_type(self) -> Option<HostScalar> {
        if !self.is_float() {
            return None;
        }
        match self.bits() {
            8 => Some(HostScalar::U8),
            16 => Some(HostScalar::U16),
            32 => Some(HostScalar::U32),
            64 => Some(HostScalar::U64),
            _ => None,
        }
    }

    /// Returns the width in bits.
    pub(crate) fn bits(self) -> u32 {
        self.scalar().bits()
    }

    /// Returns the smallest and the largest value of an integer type; 0 and 1 for `bool`.
    pub(crate) fn range(self) -> Option<(i128, i128)> {
        if self == HostScalar::Bool {
            return Some((0, 1));
        }
        if !self.is_integer() {
            return None;
        }
        if self.is_signed() {
            let half = 1_i128 << (self.bits() - 1);
            Some((-half, half - 1))
        } else {
            Some((0, (1_i128 << self.bits()) - 1))
        }
    }

    /// Returns `true` if an integer value is in the range of the type; always for floats.
    pub(crate) fn holds(self, value: i128) -> bool {
        self.range()
            .is_none_or(|(least, greatest)| least <= value && value <= greatest)
    }
}
