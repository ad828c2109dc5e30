//! The catalogue of error codes. A code is declared once, here, and never reused.

macro_rules! codes {
    ($($(#[$meta:meta])* $Name:ident = $number:literal, $title:literal;)+) => {
        /// The catalogued kind of a diagnostic: `T01xx` syntax, `T02xx` names and types, `T03xx`
        /// verifier, `T04xx` layout and lowering, `T05xx` toolchain, `T06xx` execution of a kernel.
        /// Each code has a page, `docs/errors/<code>.md`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $title] $(#[$meta])* $Name,)+
        }

        impl Code {
            /// Every code, in order.
            pub const ALL: &'static [Code] = &[$(Code::$Name),+];

            /// Returns the number as printed, such as `T0301`.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$Name => $number,)+ }
            }

            /// Returns a short description of the code.
            pub fn title(self) -> &'static str {
                match self { $(Code::$Name => $title,)+ }
            }

            /// Returns the code with the given number.
            pub fn parse(text: &str) -> Option<Code> {
                match text { $($number => Some(Code::$Name),)+ _ => None }
            }
        }
    };
}

codes! {
    UnsupportedSyntax = "T0101", "Rust syntax that a kernel cannot use";
    AttributeOption = "T0102", "an option of the attribute is wrong";
    IrSyntax = "T0103", "IR text that does not parse";
    UnknownName = "T0201", "a name that is not known";
    TypeMismatch = "T0202", "types differ";
    ShapeMismatch = "T0203", "shapes differ";
    RankMismatch = "T0204", "ranks differ";
    NotPowerOfTwo = "T0205", "a tile dimension is not a power of two";
    BadArguments = "T0206", "wrong arguments of a call";
    NotConstant = "T0207", "a value that must be known at compile time is not";
    InstanceMismatch = "T0208", "an instance does not fit the kernel's generics";
    CarriedMismatch = "T0209", "a carried variable changes its type";
    Immutable = "T0211", "an assignment to something immutable";
    OutOfRange = "T0212", "a literal or constant that does not fit its type";
    Uninitialized = "T0213", "a variable that is read before it has a value";
    Unreachable = "T0214", "code that does nothing";
    EndlessLoop = "T0215", "a loop that cannot end";
    NonExhaustive = "T0216", "a pattern that does not take every value";
    BadJump = "T0217", "a jump that has nothing to leave";
    NeedsUnsafe = "T0221", "an operation that needs `unsafe`";
    StoreRace = "T0222", "blocks that store to one place";
    NoFact = "T0223", "a fact that no launch can check";
    GridMismatch = "T0224", "a store of other tiles than the grid counts";
    VerifyOperands = "T0301", "an operation has the wrong operands";
    VerifyAttributes = "T0302", "an operation has the wrong attributes";
    VerifyResults = "T0303", "an operation has the wrong results";
    VerifyStructure = "T0304", "the structure of regions and blocks is wrong";
    VerifyDominance = "T0305", "a value is used where it is not defined";
    VerifyType = "T0306", "a type breaks the limits of the dialect";
    Bytecode = "T0308", "bytecode that cannot be read";
    UnsupportedByTarget = "T0401", "an operation the target cannot do";
    TooLarge = "T0402", "a tile that does not fit the target";
    Flatten = "T0403", "a structured loop that cannot be flattened";
    ToolFailed = "T0501", "a tool of the tool chain failed";
    WorkerDied = "T0502", "the isolated compiler process died";
    Internal = "T0503", "an internal compiler error";
    Fault = "T0601", "a kernel that fails while it runs";
}
