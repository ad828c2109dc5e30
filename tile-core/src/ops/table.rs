//! `define_ops!`: ties each enum variant to its row.

macro_rules! define_ops {
    (
        $(#[doc = $group_doc:literal])+
        pub enum $Group:ident {
            $($(#[doc = $doc:literal])+ $Op:ident = $row:expr;)+
        }
    ) => {
        $(#[doc = $group_doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $Group { $($(#[doc = $doc])+ $Op,)+ }

        impl $Group {
            /// Every operation of the group.
            pub const ALL: &'static [$Group] = &[$($Group::$Op),+];

            /// Returns the row of the op table.
            pub const fn def(self) -> &'static $crate::ops::OpDef {
                match self {$(
                    $Group::$Op => {
                        const ROW: &$crate::ops::OpDef =
                            &$row.doc(concat!($($doc, "\n"),+)).checked();
                        ROW
                    }
                )+}
            }
        }
    };
}

pub(super) use define_ops;
