//! Tests that arguments which the driver rejects are rejected, with a reason.

use super::super::*;

type Change = fn(&mut Arguments);

/// Valid arguments: a matrix of 64 rows of 128 `bf16`.
struct Arguments {
    ty: TensorType,
    address: u64,
    dims: Vec<u64>,
    strides: Vec<u64>,
    box_dims: Vec<u32>,
    element_strides: Vec<u32>,
    options: TensorMapOptions,
}

impl Arguments {
    fn map(&self) -> Result<TensorMap, TensorMapError> {
        TensorMap::tiled(
            self.ty,
            self.address,
            &self.dims,
            &self.strides,
            &self.box_dims,
            &self.element_strides,
            self.options,
        )
    }
}

fn right() -> Arguments {
    Arguments {
        ty: TensorType::BFloat16,
        address: 0x1000,
        dims: vec![128, 64],
        strides: vec![256],
        box_dims: vec![64, 32],
        element_strides: vec![1, 1],
        options: TensorMapOptions {
            swizzle: Swizzle::Bytes128,
            ..TensorMapOptions::default()
        },
    }
}

#[test]
fn arguments_are_checked_as_by_the_driver() {
    assert!(right().map().is_ok());
    let cases: &[(Change, &str)] = &[
        (
            |a| a.address += 8,
            "globalAddress is 4104; it must be a multiple of 16",
        ),
        (
            |a| a.dims[1] = 0,
            "globalDim[1] is 0; it must be 1 to 4294967296",
        ),
        (
            |a| a.dims[0] = (1 << 32) + 1,
            "globalDim[0] is 4294967297; it must be 1 to 4294967296",
        ),
        (
            |a| a.strides[0] = 264,
            "globalStrides[0] is 264; it must be a multiple of 16",
        ),
        (
            |a| a.strides[0] = 1 << 40,
            "globalStrides[0] is 1099511627776; it must be 0 to 1099511627775",
        ),
        (
            |a| a.box_dims[1] = 257,
            "boxDim[1] is 257; it must be 1 to 256",
        ),
        (|a| a.box_dims[0] = 0, "boxDim[0] is 0; it must be 1 to 256"),
        (
            |a| a.box_dims[0] = 12,
            "boxDim[0] in bytes is 24; it must be a multiple of 16",
        ),
        (
            |a| a.box_dims[0] = 72,
            "a row of the box has 144 bytes; with this swizzle it may have 128",
        ),
        (
            |a| a.element_strides[1] = 9,
            "elementStrides[1] is 9; it must be 1 to 8",
        ),
        (
            |a| a.element_strides[0] = 0,
            "elementStrides[0] is 0; it must be 1 to 8",
        ),
        (
            |a| a.strides.push(16),
            "globalStrides has 2 elements; give 1",
        ),
        (|a| a.box_dims.push(1), "boxDim has 3 elements; give 2"),
        (
            |a| a.element_strides.clear(),
            "elementStrides has 0 elements; give 2",
        ),
        (
            |a| {
                *a = Arguments {
                    dims: vec![],
                    box_dims: vec![],
                    ..right()
                }
            },
            "tensorRank is 0; give 1 to 5 dimensions",
        ),
        (
            |a| {
                a.ty = TensorType::UInt16;
                a.options.fill = Fill::NanRequestZeroFma;
            },
            "only floating-point types are filled with NaN; use `Fill::Zero`",
        ),
        (
            |a| a.options.interleave = Interleave::Bytes16,
            "tensorRank is 2; give 3 to 5 dimensions",
        ),
        (
            |a| {
                *a = Arguments {
                    dims: vec![8, 8, 8],
                    strides: vec![32, 256],
                    box_dims: vec![8, 8, 8],
                    element_strides: vec![1; 3],
                    ..right()
                };
                a.options.interleave = Interleave::Bytes32;
            },
            "an interleave of 32 bytes needs `Swizzle::Bytes32`",
        ),
        (
            |a| {
                a.ty = TensorType::Packed16U4Align16B;
                a.box_dims[0] = 128;
                a.options.swizzle = Swizzle::Bytes128Atom64;
            },
            "packed types aligned to 16 bytes do not have this swizzle; use `Bytes128`",
        ),
        (
            |a| {
                a.ty = TensorType::Packed16U6Align16B;
                a.dims[0] = 192;
            },
            "globalDim[0] is 192; it must be a multiple of 128 for packed types aligned to 16 bytes",
        ),
        (
            |a| a.ty = TensorType::Packed16U6Align16B,
            "boxDim[0] is 64; it must be 128 to 128",
        ),
    ];
    for (change, expected) in cases {
        let mut arguments = right();
        change(&mut arguments);
        assert_eq!(arguments.map().unwrap_err().to_string(), *expected);
    }
}

fn pixels(rank: usize, columns: Im2col<'_>) -> Result<TensorMap, TensorMapError> {
    let strides = [32u64, 512, 1 << 14, 1 << 18];
    TensorMap::im2col(
        TensorType::Float16,
        0,
        &vec![16; rank],
        &strides[..rank - 1],
        columns,
        &vec![1; rank],
        TensorMapOptions::default(),
    )
}

#[test]
fn boxes_of_pixels_are_checked() {
    let columns = Im2col {
        lower_corner: &[-1, -1],
        upper_corner: &[-1, -1],
        channels_per_pixel: 16,
        pixels_per_column: 64,
    };
    assert!(pixels(4, columns).is_ok());
    let error = |rank, columns| pixels(rank, columns).unwrap_err().to_string();
    assert_eq!(error(2, columns), "tensorRank is 2; give 3 to 5 dimensions");
    assert_eq!(
        error(5, columns),
        "pixelBoxLowerCorner has 2 elements; give 3"
    );
    let far = Im2col {
        lower_corner: &[0, -129],
        ..columns
    };
    assert_eq!(
        error(4, far),
        "pixelBoxLowerCorner[1] is -129; it must be -128 to 127"
    );
    let empty = Im2col {
        upper_corner: &[-1, -17],
        ..columns
    };
    assert_eq!(
        error(4, empty),
        "pixelBoxLowerCorner and pixelBoxUpperCorner leave no pixel between them"
    );
    let long = Im2col {
        pixels_per_column: 1025,
        ..columns
    };
    assert_eq!(
        error(4, long),
        "pixelsPerColumn is 1025; it must be 1 to 1024"
    );
    let deep = Im2col {
        channels_per_pixel: 257,
        ..columns
    };
    assert_eq!(
        error(4, deep),
        "channelsPerPixel is 257; it must be 1 to 256"
    );
}

#[test]
fn instructions_that_do_not_fit_are_refused() {
    let map = right().map().unwrap();
    let error = |map: &TensorMap, start, shared| map.pieces(start, shared).unwrap_err().to_string();
    assert_eq!(
        error(&map, Start::Tile(&[0, 0]), 64),
        "the shared address 0x40 of a box must be a multiple of 128"
    );
    assert_eq!(
        error(&map, Start::Tile(&[0]), 0),
        "the instruction has 1 coordinates, but the tensor map has 2 dimensions"
    );
    assert_eq!(
        error(&map, Start::Rows([0; 5]), 0),
        "the box of a gather or scatter has 32 rows; boxDim[1] must be 1"
    );
    let columns = Im2col {
        lower_corner: &[0, 0],
        upper_corner: &[-2, -2],
        channels_per_pixel: 16,
        pixels_per_column: 64,
    };
    let image = pixels(4, columns).unwrap();
    assert_eq!(
        error(&image, Start::Tile(&[0; 4]), 0),
        "the tensor map is for im2col, the instruction is `.tile`"
    );
    let start = |coordinates, offsets| {
        Start::Im2col(Im2colStart {
            coordinates,
            offsets,
        })
    };
    assert_eq!(
        error(&map, start(&[0, 0], &[]), 0),
        "the tensor map is for tiles, the instruction is `.im2col`"
    );
    assert_eq!(
        error(&image, start(&[0, 0, 14, 0], &[0, 0]), 0),
        "coordinate 14 along axis 2 is outside of the box of pixels, 0 to 13"
    );
    assert_eq!(
        error(&image, start(&[0, 0, 0, 0], &[256, 0]), 0),
        "im2col offset 256 along axis 1 is above 255"
    );
}

#[test]
fn a_map_is_made_field_by_field() {
    let mut bytes = [0; 128];
    assert_eq!(
        TensorMap::from_bytes(&bytes),
        Err(TensorMapError::NotATensorMap)
    );
    let fields = [
        (Field::Address, 0x1000),
        (Field::Rank, 1),
        (Field::Box(0), 64),
        (Field::Box(1), 32),
        (Field::Dim(0), 128),
        (Field::Dim(1), 64),
        (Field::Stride(0), 256),
        (Field::ElementStride(0), 1),
        (Field::ElementStride(1), 1),
        (Field::Type, 10),
        (Field::Interleave, 0),
        (Field::SwizzleMode, 3),
        (Field::Fill, 0),
    ];
    for (field, value) in fields {
        field.replace(&mut bytes, value).unwrap();
    }
    assert_eq!(TensorMap::from_bytes(&bytes), right().map());
    Field::SwizzleAtomicity.replace(&mut bytes, 2).unwrap();
    let map = TensorMap::from_bytes(&bytes).unwrap();
    assert_eq!(map.options.swizzle, Swizzle::Bytes128Atom32Flip8);
    // Fields beyond the rank are ignored.
    Field::Dim(4).replace(&mut bytes, 7).unwrap();
    assert_eq!(TensorMap::from_bytes(&bytes), Ok(map));
    Field::Box(1).replace(&mut bytes, 0).unwrap();
    assert_eq!(
        TensorMap::from_bytes(&bytes).unwrap_err().to_string(),
        "boxDim[1] is 0; it must be 1 to 256"
    );
    let error = Field::Type.replace(&mut bytes, 16).unwrap_err();
    assert_eq!(error.to_string(), "elemtype is 16; it must be 0 to 15");
    let error = Field::Rank.replace(&mut [7; 128], 1).unwrap_err();
    assert_eq!(error, TensorMapError::NotATensorMap);
}

#[test]
fn an_address_is_replaced() {
    let map = right().map().unwrap();
    let moved = map.with_address(0x2000).unwrap();
    let pieces = moved.pieces(Start::Tile(&[0, 0]), 0).unwrap();
    assert_eq!(pieces[0].global, Some(0x2000));
    assert!(map.with_address(0x2001).is_err());
}
