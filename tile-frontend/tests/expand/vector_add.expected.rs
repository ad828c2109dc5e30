#[doc(hidden)]
mod __vector_add {
    const _: ::core::option::Option<&::core::primitive::str> = ::core::option_env!(
        "TILE_ARCH"
    );
    const _: ::core::option::Option<&::core::primitive::str> = ::core::option_env!(
        "TILE_ARTIFACTS"
    );
    pub(super) fn instance() -> &'static ::tile_kernel::__private::Instance {
        #[cfg_attr(target_os = "linux", unsafe(link_section = ".nv_fatbin"))]
        static FAST: ::tile_kernel::__private::Aligned<[::core::primitive::u8; 11]> = ::tile_kernel::__private::Aligned(
            *b"P\xEDU\xBA\0fatbin",
        );
        #[cfg_attr(target_os = "linux", unsafe(link_section = ".nv_fatbin"))]
        static GENERAL: ::tile_kernel::__private::Aligned<[::core::primitive::u8; 11]> = ::tile_kernel::__private::Aligned(
            *b"P\xEDU\xBA\0fatbin",
        );
        static VARIANTS: [::tile_kernel::__private::VariantImage; 2] = [
            ::tile_kernel::__private::VariantImage::new(
                ::tile_kernel::__private::VariantKind::Fast,
                "vector_add__fast",
                &FAST.0,
                &[
                    ::tile_kernel::__private::ArchImage {
                        name: "sm_80",
                        capability: 80,
                        threads: 128,
                        shared_bytes: 0,
                        cluster: 1,
                        blocks_per_tile: 1,
                        maps: &[],
                        persistent_blocks_per_sm: ::core::option::Option::None,
                        programmatic: false,
                    },
                    ::tile_kernel::__private::ArchImage {
                        name: "sm_90a",
                        capability: 90,
                        threads: 256,
                        shared_bytes: 65536,
                        cluster: 2,
                        blocks_per_tile: 1,
                        maps: &[],
                        persistent_blocks_per_sm: ::core::option::Option::None,
                        programmatic: false,
                    },
                ],
            ),
            ::tile_kernel::__private::VariantImage::new(
                ::tile_kernel::__private::VariantKind::General,
                "vector_add__general",
                &GENERAL.0,
                &[
                    ::tile_kernel::__private::ArchImage {
                        name: "sm_80",
                        capability: 80,
                        threads: 128,
                        shared_bytes: 0,
                        cluster: 1,
                        blocks_per_tile: 1,
                        maps: &[],
                        persistent_blocks_per_sm: ::core::option::Option::None,
                        programmatic: false,
                    },
                    ::tile_kernel::__private::ArchImage {
                        name: "sm_90a",
                        capability: 90,
                        threads: 256,
                        shared_bytes: 65536,
                        cluster: 2,
                        blocks_per_tile: 1,
                        maps: &[],
                        persistent_blocks_per_sm: ::core::option::Option::None,
                        programmatic: false,
                    },
                ],
            ),
        ];
        static INSTANCE: ::tile_kernel::__private::Instance = ::tile_kernel::__private::Instance::new(
            ::tile_kernel::__private::KernelImage::new(
                "vector_add",
                (::core::file!(), ::core::line!()),
                &["a", "b", "c"],
                &VARIANTS,
                b"\x7FTileIR\0",
            ),
        );
        &INSTANCE
    }
}
/// Adds two vectors.
pub fn vector_add<'launch>(
    a: &'launch ::tile_kernel::__private::Tensor<::core::primitive::f32, 1>,
    b: &'launch ::tile_kernel::__private::Tensor<::core::primitive::f32, 1>,
    c: &'launch mut ::tile_kernel::__private::Tensor<::core::primitive::f32, 1>,
) -> ::tile_kernel::__private::Launch<'launch> {
    ::tile_kernel::__private::launch(
        __vector_add::instance(),
        ::tile_kernel::__private::grid(c.tiles([1024])),
        [
            ::tile_kernel::__private::shared(a),
            ::tile_kernel::__private::shared(b),
            ::tile_kernel::__private::exclusive(c),
        ],
    )
}
