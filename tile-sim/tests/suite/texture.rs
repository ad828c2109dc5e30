//! Textures: elements at coordinates, as the CUDA C++ Programming Guide prescribes.

use half::f16;
use tile_sim::{
    AddressMode, Arg, Argument, Channel, Coordinates, Fault, FaultKind, Filter, Image, Launch,
    Memory, Module, Options, ReadMode, RunOptions, Sampler, Shape, Texture,
};

const MODES: [AddressMode; 4] = [
    AddressMode::Wrap,
    AddressMode::Mirror,
    AddressMode::Clamp,
    AddressMode::Border,
];

/// Threads of a launch, each with four words of coordinates and four of results.
const THREADS: usize = 64;

/// `%r0` to `%r3` are a thread's coordinates, `%r4` to `%r7` its results.
fn module(body: &str) -> Module {
    let text = format!(
        ".version 8.1\n.target sm_90\n.address_size 64\n\
         .visible .entry k(.param .u64 handle, .param .u64 sampler, .param .u64 at, .param .u64 out) {{\n\
         .reg .pred %p<4>; .reg .b16 %h<8>; .reg .b32 %r<32>; .reg .b64 %d<16>;\n\
         mov.u32 %r20, %tid.x; mul.wide.u32 %d0, %r20, 16;\n\
         ld.param.u64 %d1, [handle]; ld.param.u64 %d2, [sampler];\n\
         ld.param.u64 %d3, [at]; add.u64 %d3, %d3, %d0; ld.param.u64 %d4, [out]; add.u64 %d4, %d4, %d0;\n\
         ld.global.v4.u32 {{%r0, %r1, %r2, %r3}}, [%d3];\n\
         {body}\n}}\n"
    );
    Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Stores as many words of results.
fn store(count: usize) -> String {
    let line = |index| format!("st.global.u32 [%d4+{}], %r{};\n", 4 * index, 4 + index);
    (0..count).map(line).collect::<Vec<_>>().concat()
}

/// The results of each thread.
fn run(
    body: &str,
    texels: &[u8],
    texture: Texture,
    sampler: Sampler,
    at: &[[u32; 4]],
) -> Result<Vec<[u32; 4]>, Fault> {
    let mut memory = Memory::new();
    let address = memory.alloc_with(texels, 16);
    let image = Image {
        address,
        ..texture.image
    };
    let handle = memory
        .texture(&Texture { image, ..texture })
        .expect("a texture");
    let sampler = memory.sampler(sampler);
    let bytes: Vec<u8> = at
        .iter()
        .flatten()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    let at_address = memory.alloc_with(&bytes, 16);
    let out = memory.alloc(16 * at.len(), 16);
    let launch = Launch::new("k")
        .threads(at.len() as u32)
        .args([handle, sampler, at_address, out].map(Arg::from));
    crate::support::launch(&module(body), &launch, &mut memory, &Options::default())?;
    let words = memory.bytes(out).expect("allocated").chunks_exact(16);
    Ok(words
        .map(|words| {
            let word = |index: usize| {
                u32::from_le_bytes(words[4 * index..4 * index + 4].try_into().unwrap())
            };
            [0, 1, 2, 3].map(word)
        })
        .collect())
}

fn image(channel: Channel, channels: usize, shape: Shape) -> Image {
    Image {
        address: 0,
        channel,
        channels,
        shape,
    }
}

fn texture(image: Image, sampler: Sampler) -> Texture {
    Texture {
        image,
        sampler,
        read: ReadMode::Element,
    }
}

/// Numbers that look random.
fn draws(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed;
    move |bound| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ mixed >> 27) % bound
    }
}

/// An element of a line, plane or volume whose indices may lie outside.
fn outside(mode: AddressMode, size: i64, index: i64) -> Option<i64> {
    let mut index = index;
    match mode {
        AddressMode::Border if index < 0 || index >= size => return None,
        AddressMode::Border => {}
        AddressMode::Clamp => index = index.max(0).min(size - 1),
        AddressMode::Wrap => {
            while index < 0 {
                index += size;
            }
            index %= size;
        }
        AddressMode::Mirror => loop {
            if index < 0 {
                index = -1 - index;
            } else if index >= size {
                index = 2 * size - 1 - index;
            } else {
                break;
            }
        },
    }
    Some(index)
}

/// A coordinate in elements, by the guide's formulas for normalized ones.
fn in_elements(sampler: Sampler, axis: usize, size: i64, x: f64) -> (AddressMode, f64) {
    let mode = sampler.address[axis];
    if sampler.coordinates == Coordinates::Elements {
        let mode = match mode {
            AddressMode::Wrap | AddressMode::Mirror => AddressMode::Clamp,
            mode => mode,
        };
        return (mode, x);
    }
    let floor = x.floor();
    let inside = match mode {
        AddressMode::Wrap => x - floor,
        AddressMode::Mirror if floor % 2.0 == 0.0 => x - floor,
        AddressMode::Mirror => 1.0 - (x - floor),
        _ => x,
    };
    (mode, inside * size as f64)
}

/// What the guide says a texture is at a coordinate; of the axes that there are.
fn oracle(sampler: Sampler, sizes: &[i64], x: &[f64], element: &dyn Fn(&[i64]) -> f64) -> f64 {
    let axes: Vec<(AddressMode, f64)> = (0..sizes.len())
        .map(|axis| in_elements(sampler, axis, sizes[axis], x[axis]))
        .collect();
    let at = |indices: &[i64]| {
        let inside: Option<Vec<i64>> = (0..sizes.len())
            .map(|axis| outside(axes[axis].0, sizes[axis], indices[axis]))
            .collect();
        inside.map_or(0.0, |inside| element(&inside))
    };
    if sampler.filter == Filter::Point {
        let indices: Vec<i64> = axes
            .iter()
            .zip(sizes)
            // 1 - frac(x) is 1 at the end of an image that is mirrored.
            .map(|(&(mode, x), &size)| match mode {
                AddressMode::Mirror => (x.floor() as i64).min(size - 1),
                _ => x.floor() as i64,
            })
            .collect();
        return at(&indices);
    }
    let mut sum = 0.0;
    for corner in 0..1 << sizes.len() {
        let mut weight = 1.0;
        let mut indices = Vec::new();
        for (axis, &(_, x)) in axes.iter().enumerate() {
            let fixed = ((x - 0.5) * 256.0).round_ties_even() / 256.0;
            let alpha = fixed - fixed.floor();
            let upper = corner >> axis & 1;
            weight *= if upper == 1 { alpha } else { 1.0 - alpha };
            indices.push(fixed.floor() as i64 + upper);
        }
        sum += weight * at(&indices);
    }
    sum
}

/// Elements that sums of are exact, by their number and channel.
fn small(number: usize, channel: usize) -> f32 {
    ((number * 37 + channel * 11) % 255) as f32 / 8.0 - 9.0
}

fn small_texels(elements: usize, channels: usize) -> Vec<u8> {
    (0..elements)
        .flat_map(|number| (0..channels).map(move |channel| small(number, channel)))
        .flat_map(f32::to_le_bytes)
        .collect()
}

/// A shape, the number of its axes, and its instruction with coordinates from `%r0` on.
fn shapes() -> Vec<(Shape, usize, &'static str, &'static str)> {
    vec![
        (Shape::Line { width: 13 }, 1, "1d", "{%r0}"),
        (
            Shape::Plane {
                width: 7,
                height: 5,
            },
            2,
            "2d",
            "{%r0, %r1}",
        ),
        (
            Shape::Volume {
                width: 5,
                height: 3,
                depth: 4,
            },
            3,
            "3d",
            "{%r0, %r1, %r2, %r31}",
        ),
        (
            Shape::Lines {
                width: 9,
                layers: 3,
            },
            1,
            "a1d",
            "{%r3, %r0}",
        ),
        (
            Shape::Planes {
                width: 6,
                height: 4,
                layers: 3,
            },
            2,
            "a2d",
            "{%r3, %r0, %r1, %r31}",
        ),
    ]
}

fn sizes(shape: Shape) -> (Vec<i64>, u64) {
    match shape {
        Shape::Line { width } => (vec![width.into()], 1),
        Shape::Plane { width, height } => (vec![width.into(), height.into()], 1),
        Shape::Volume {
            width,
            height,
            depth,
        } => (vec![width.into(), height.into(), depth.into()], 1),
        Shape::Lines { width, layers } => (vec![width.into()], layers.into()),
        Shape::Planes {
            width,
            height,
            layers,
        } => (vec![width.into(), height.into()], layers.into()),
        Shape::Cube { .. } | Shape::Cubes { .. } => panic!("faces have a test of their own"),
    }
}

#[test]
fn elements_are_read_and_filtered_as_the_guide_says() {
    let mut draw = draws(1);
    let mut different = 0;
    for (shape, axes, name, coordinates) in shapes() {
        let (sizes, layers) = sizes(shape);
        let elements = sizes.iter().product::<i64>() as usize * layers as usize;
        for filter in [Filter::Point, Filter::Linear] {
            for unit in [Coordinates::Elements, Coordinates::Normalized] {
                for number in 0..16 {
                    let address = [
                        MODES[number % 4],
                        MODES[number / 4],
                        MODES[(number + 2) % 4],
                    ];
                    let sampler = Sampler {
                        address,
                        filter,
                        coordinates: unit,
                    };
                    let channels = [1, 2, 4][number % 3];
                    // From one image before the first to one behind the last, and edges.
                    let at: Vec<[u32; 4]> = (0..THREADS)
                        .map(|_| {
                            let mut at = [0; 4];
                            for (axis, &size) in sizes.iter().enumerate() {
                                let steps = draw(3 * size as u64 * 64) as f64 / 64.0 - size as f64;
                                let x = if unit == Coordinates::Elements {
                                    steps
                                } else {
                                    steps / size as f64
                                };
                                at[axis] = (x as f32).to_bits();
                            }
                            at[3] = draw(layers) as u32;
                            at
                        })
                        .collect();
                    let body = format!(
                        "tex.{name}.v4.f32.f32 {{%r4, %r5, %r6, %r7}}, [%d1, {coordinates}];\n{}",
                        store(channels)
                    );
                    let texture = texture(image(Channel::Float32, channels, shape), sampler);
                    let found = run(
                        &body,
                        &small_texels(elements, channels),
                        texture,
                        sampler,
                        &at,
                    )
                    .unwrap_or_else(|fault| panic!("{name} {sampler:?}: {fault}"));
                    for (at, found) in at.iter().zip(found) {
                        let x: Vec<f64> = (0..axes)
                            .map(|axis| f32::from_bits(at[axis]).into())
                            .collect();
                        for channel in 0..channels {
                            let element = |index: &[i64]| {
                                let mut number = at[3] as i64;
                                for axis in (0..axes).rev() {
                                    number = number * sizes[axis] + index[axis];
                                }
                                small(number as usize, channel).into()
                            };
                            let expected = oracle(sampler, &sizes, &x, &element) as f32;
                            let found = f32::from_bits(found[channel]);
                            assert_eq!(found, expected, "{name} {sampler:?} at {x:?}");
                            different += u32::from(found != small(0, 0));
                        }
                    }
                }
            }
        }
    }
    assert!(different > 10_000, "{different}");
}

/// The two examples of weights of the guide: 8 fractional bits, and a weight of 1.
#[test]
fn weights_have_eight_fractional_bits() {
    let sampler = Sampler {
        filter: Filter::Linear,
        ..Sampler::default()
    };
    let line = image(Channel::Float32, 1, Shape::Line { width: 4 });
    let texels: Vec<u8> = [0f32, 0.0, 1.0, 256.0]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let at = [
        1.5,
        1.5 + 1.0 / 256.0,
        1.5 + 1.4 / 256.0,
        1.5 + 1.6 / 256.0,
        2.498_05,
        3.0,
    ];
    let coordinates: Vec<[u32; 4]> = at.map(|x: f32| [x.to_bits(), 0, 0, 0]).into();
    let body = format!(
        "tex.1d.v4.f32.f32 {{%r4, %r5, %r6, %r7}}, [%d1, {{%r0}}]; {}",
        store(1)
    );
    let found = run(
        &body,
        &texels,
        texture(line, sampler),
        sampler,
        &coordinates,
    )
    .expect("it is there");
    let found: Vec<f32> = found.iter().map(|words| f32::from_bits(words[0])).collect();
    assert_eq!(
        found,
        [0.0, 1.0 / 256.0, 1.0 / 256.0, 2.0 / 256.0, 1.0, 128.5]
    );
}

/// "A `tex2Dgather()` in this case would therefore return indices 2 and 3 in x."
#[test]
fn four_elements_begin_at_the_lower_left() {
    let sampler = Sampler::default();
    let plane = image(
        Channel::Signed32,
        2,
        Shape::Plane {
            width: 5,
            height: 4,
        },
    );
    let texels: Vec<u8> = (0..40i32).flat_map(i32::to_le_bytes).collect();
    for (component, channel) in [("r", 0), ("g", 1)] {
        let body = format!(
            "tld4.{component}.2d.v4.s32.f32 {{%r4, %r5, %r6, %r7}}, [%d1, {{%r0, %r1}}]; {}",
            store(4)
        );
        let at: Vec<[u32; 4]> = [(2.498_05, 1.5), (1.2, 2.8), (0.1, 0.1), (9.0, 9.0)]
            .map(|(x, y): (f32, f32)| [x.to_bits(), y.to_bits(), 0, 0])
            .into();
        let found =
            run(&body, &texels, texture(plane, sampler), sampler, &at).expect("it is there");
        let four = |x: [u32; 2], y: [u32; 2]| {
            [(0, 1), (1, 1), (1, 0), (0, 0)].map(|(i, j)| 2 * (5 * y[j] + x[i]) + channel)
        };
        let expected = [
            four([2, 3], [1, 2]),
            four([0, 1], [2, 3]),
            four([0, 0], [0, 0]),
            four([4, 4], [3, 3]),
        ];
        assert_eq!(found, expected, "{component}");
    }
    let layered = image(
        Channel::Float32,
        1,
        Shape::Planes {
            width: 3,
            height: 3,
            layers: 2,
        },
    );
    let plane = image(
        Channel::Float32,
        1,
        Shape::Plane {
            width: 3,
            height: 3,
        },
    );
    for (image, name, operands, first) in [
        (
            layered,
            "a2d",
            "|%p1, [%d1, {%r3, %r0, %r1, %r31}]; @!%p1 trap",
            9,
        ),
        (layered, "a2d", ", [%d1, {%r3, %r0, %r1, %r31}]", 9),
        (plane, "2d", ", [%d1, %d2, {%r0, %r1}]", 0),
    ] {
        let body = format!(
            "tld4.r.{name}.v4.f32.f32 {{%r4, %r5, %r6, %r7}}{operands}; {}",
            store(4)
        );
        let at = [[1.5f32.to_bits(), 1.5f32.to_bits(), 0, 1]];
        let texture = texture(image, sampler);
        let found = run(&body, &small_texels(18, 1), texture, sampler, &at);
        let expected =
            [3 * 2 + 1, 3 * 2 + 2, 3 + 2, 3 + 1].map(|number| small(first + number, 0).to_bits());
        assert_eq!(found.expect("it is there"), [expected], "{body}");
    }
}

/// Levels, gradients and the predicate that says whether there was an element.
#[test]
fn every_level_is_the_image() {
    let sampler = Sampler::default();
    let line = Shape::Line { width: 8 };
    let plane = Shape::Plane {
        width: 4,
        height: 2,
    };
    let volume = Shape::Volume {
        width: 2,
        height: 2,
        depth: 2,
    };
    for (shape, form, operands) in [
        (line, "level.1d.v4.f32.s32", ", [%d1, {%r0}], %r3"),
        (line, "level.1d.v4.f32.f32", ", [%d1, {%r8}], %r9"),
        (line, "grad.1d.v4.f32.f32", ", [%d1, {%r8}], {%r9}, {%r9}"),
        (
            volume,
            "grad.3d.v4.f32.f32",
            ", [%d1, {%r8, %r9, %r10, %r10}], {%r8, %r8, %r8, %r8}, {%r9, %r9, %r9, %r9}",
        ),
        (
            plane,
            "2d.v4.f32.f32",
            "|%p1, [%d1, {%r8, %r9}]; @!%p1 trap",
        ),
    ] {
        let image = image(Channel::Float32, 1, shape);
        let body = format!(
            "cvt.rn.f32.s32 %r8, %r0; cvt.rn.f32.s32 %r9, %r1; cvt.rn.f32.s32 %r10, %r2;
             tex.{form} {{%r4, %r5, %r6, %r7}}{operands}; {}",
            store(1)
        );
        let [width, height] = match shape {
            Shape::Line { .. } => [8, 1],
            Shape::Plane { .. } => [4, 2],
            _ => [2, 2],
        };
        let place = |at: u32| [at % width, at / width % height, at / (width * height), 0];
        let at: Vec<[u32; 4]> = (0..8).map(place).collect();
        let found = run(
            &body,
            &small_texels(8, 1),
            texture(image, sampler),
            sampler,
            &at,
        )
        .unwrap_or_else(|fault| panic!("{body}: {fault}"));
        for (number, found) in found.iter().enumerate() {
            assert_eq!(found[0], small(number, 0).to_bits(), "{body}");
        }
    }
}

/// Every format, by integer coordinates and by a sampler of the instruction.
#[test]
fn formats_give_their_numbers() {
    let bytes: Vec<u8> = (0..512u32).map(|at| (at * 151 + at / 7) as u8).collect();
    for channel in [
        Channel::Unsigned8,
        Channel::Signed8,
        Channel::Unsigned16,
        Channel::Signed16,
        Channel::Unsigned32,
        Channel::Signed32,
        Channel::Float16,
        Channel::Float32,
    ] {
        for channels in [1, 2, 4] {
            for read in [ReadMode::Element, ReadMode::Normalized] {
                let narrow = matches!(
                    channel,
                    Channel::Unsigned8 | Channel::Signed8 | Channel::Unsigned16 | Channel::Signed16
                );
                if read == ReadMode::Normalized && !narrow {
                    continue;
                }
                let image = image(
                    channel,
                    channels,
                    Shape::Plane {
                        width: 8,
                        height: 4,
                    },
                );
                let texture = Texture {
                    read,
                    ..texture(image, Sampler::default())
                };
                let size = channel.bytes();
                let number = |at: usize| -> u32 {
                    let raw = &bytes[at * size..at * size + size];
                    let mut word = [0; 4];
                    word[..size].copy_from_slice(raw);
                    let bits = u32::from_le_bytes(word);
                    let share = |value: f32, greatest: f32| (value / greatest).max(-1.0).to_bits();
                    match (channel, read) {
                        (Channel::Unsigned8, ReadMode::Normalized) => share(raw[0].into(), 255.0),
                        (Channel::Signed8, ReadMode::Normalized) => {
                            share((raw[0] as i8).into(), 127.0)
                        }
                        (Channel::Unsigned16, ReadMode::Normalized) => {
                            share((bits as u16).into(), 65535.0)
                        }
                        (Channel::Signed16, ReadMode::Normalized) => {
                            share((bits as u16 as i16).into(), 32767.0)
                        }
                        (Channel::Signed8, _) => raw[0] as i8 as i32 as u32,
                        (Channel::Signed16, _) => bits as u16 as i16 as i32 as u32,
                        (Channel::Float16, _) => f16::from_bits(bits as u16).to_f32().to_bits(),
                        _ => bits,
                    }
                };
                let floats = read == ReadMode::Normalized
                    || matches!(channel, Channel::Float16 | Channel::Float32);
                let types = if floats {
                    &["f32"][..]
                } else {
                    &["u32", "s32"]
                };
                for ty in types {
                    for (form, coordinates) in [
                        (format!("tex.2d.v4.{ty}.s32"), "[%d1, {%r0, %r1}]"),
                        (
                            format!("tex.level.2d.v4.{ty}.s32"),
                            "[%d1, {%r0, %r1}], %r3",
                        ),
                        (format!("tex.2d.v4.{ty}.f32"), "[%d1, %d2, {%r8, %r9}]"),
                        (format!("tex.base.2d.v4.{ty}.f32"), "[%d1, {%r8, %r9}]"),
                        (
                            format!("tex.grad.2d.v4.{ty}.f32"),
                            "[%d1, {%r8, %r9}], {%r8, %r9}, {%r8, %r9}",
                        ),
                    ] {
                        let body = format!(
                            "cvt.rn.f32.s32 %r8, %r0; cvt.rn.f32.s32 %r9, %r1;
                             {form} {{%r4, %r5, %r6, %r7}}, {coordinates}; {}",
                            store(channels)
                        );
                        let at: Vec<[u32; 4]> = (0..32).map(|at| [at % 8, at / 8, 0, 0]).collect();
                        let found = run(&body, &bytes, texture, Sampler::default(), &at)
                            .unwrap_or_else(|fault| panic!("{form}: {fault}"));
                        for (at, found) in found.iter().enumerate() {
                            for (index, &found) in found[..channels].iter().enumerate() {
                                let expected = number(at * channels + index);
                                let is_nan = floats && f32::from_bits(expected).is_nan();
                                assert!(
                                    found == expected || is_nan,
                                    "{form} {channel:?} {found:x} {expected:x}"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The table of "Cubemap Textures".
#[test]
fn directions_lead_to_faces() {
    let sampler = Sampler {
        coordinates: Coordinates::Normalized,
        ..Sampler::default()
    };
    // Along the major axis 4, along the others quarters: in the second and third of four elements
    // or the first and last.
    let mut at = Vec::new();
    let mut expected = Vec::new();
    for (face, axis, sign) in [
        (0, 0, 1.0),
        (1, 0, -1.0),
        (2, 1, 1.0),
        (3, 1, -1.0),
        (4, 2, 1.0),
        (5, 2, -1.0f32),
    ] {
        for (one, other) in [(1.0f32, -3.0f32), (-1.0, 3.0), (3.0, 1.0), (-3.0, -1.0)] {
            let mut direction = [0.0; 3];
            direction[axis] = 4.0 * sign;
            direction[(axis + 1) % 3] = one;
            direction[(axis + 2) % 3] = other;
            let [x, y, z] = direction;
            let (s, t) = match face {
                0 => (-z, -y),
                1 => (z, -y),
                2 => (x, z),
                3 => (x, -z),
                4 => (x, -y),
                _ => (-x, -y),
            };
            let element = |along: f32| (f32::midpoint(along / 4.0, 1.0) * 4.0).floor() as u32;
            at.push([x, y, z, 0.0].map(f32::to_bits));
            expected.push(16 * face + 4 * element(t) + element(s));
        }
    }
    let texels: Vec<u8> = (0..96 * 3u32).flat_map(u32::to_le_bytes).collect();
    let cube = image(Channel::Unsigned32, 1, Shape::Cube { width: 4 });
    let body = format!(
        "tex.cube.v4.u32.f32 {{%r4, %r5, %r6, %r7}}, [%d1, {{%r0, %r1, %r2, %r31}}]; {}",
        store(1)
    );
    let found = run(&body, &texels, texture(cube, sampler), sampler, &at).expect("it is there");
    let found: Vec<u32> = found.iter().map(|words| words[0]).collect();
    assert_eq!(found, expected);
    let cubes = image(Channel::Unsigned32, 1, Shape::Cubes { width: 4, cubes: 3 });
    let body = format!(
        "mov.u32 %r3, 2; tex.acube.v4.u32.f32 {{%r4, %r5, %r6, %r7}}, [%d1, {{%r3, %r0, %r1, %r2}}]; {}",
        store(1)
    );
    let found = run(&body, &texels, texture(cubes, sampler), sampler, &at).expect("it is there");
    let found: Vec<u32> = found.iter().map(|words| words[0] - 2 * 96).collect();
    assert_eq!(found, expected);
}

#[test]
fn kernels_ask_what_a_texture_is() {
    let sampler = Sampler {
        coordinates: Coordinates::Normalized,
        ..Sampler::default()
    };
    let asks = |property: &str, shape: Shape| {
        let body = format!("txq.{property}.b32 %r4, [%d1]; {}", store(1));
        let texture = texture(image(Channel::Unsigned8, 4, shape), sampler);
        run(&body, &[0; 4096], texture, sampler, &[[0; 4]]).expect("it is there")[0][0]
    };
    let volume = Shape::Volume {
        width: 3,
        height: 5,
        depth: 7,
    };
    assert_eq!(
        ["width", "height", "depth"].map(|property| asks(property, volume)),
        [3, 5, 7]
    );
    assert_eq!(
        asks(
            "array_size",
            Shape::Lines {
                width: 2,
                layers: 9
            }
        ),
        9
    );
    assert_eq!(asks("normalized_coords", volume), 1);
    assert_eq!(asks("num_mipmap_levels", volume), 1);
    let level = format!("txq.level.height.b32 %r4, [%d1], 0; {}", store(1));
    let texture = texture(image(Channel::Unsigned8, 4, volume), sampler);
    assert_eq!(
        run(&level, &[0; 4096], texture, sampler, &[[0; 4]]).expect("it is there")[0][0],
        5
    );
    let body = format!(
        "istypep.texref %p0, %d1; istypep.samplerref %p1, %d1; istypep.surfref %p2, %d1; istypep.samplerref %p3, %d2;
         selp.u32 %r4, 1, 0, %p0; selp.u32 %r5, 1, 0, %p1; selp.u32 %r6, 1, 0, %p2; selp.u32 %r7, 1, 0, %p3; {}",
        store(4)
    );
    assert_eq!(
        run(&body, &[0; 4096], texture, sampler, &[[0; 4]]).expect("it is there"),
        [[1, 0, 0, 1]]
    );
}

#[test]
fn what_is_no_texture_or_another_one_is_a_fault() {
    let plane = image(
        Channel::Float32,
        2,
        Shape::Plane {
            width: 4,
            height: 4,
        },
    );
    let linear = Sampler {
        filter: Filter::Linear,
        ..Sampler::default()
    };
    let integers = Image {
        channel: Channel::Unsigned32,
        ..plane
    };
    let layers = Image {
        shape: Shape::Planes {
            width: 2,
            height: 2,
            layers: 4,
        },
        ..plane
    };
    let fetch = |operands: &str| {
        format!(
            "tex.2d.v4.f32.f32 {{%r4, %r5, %r6, %r7}}, {operands}; {}",
            store(1)
        )
    };
    let default = Sampler::default();
    for (body, image, sampler, says) in [
        (
            fetch("[%d3, {%r0, %r1}]"),
            plane,
            default,
            "no handle of a texture",
        ),
        (
            fetch("[%d1, %d1, {%r0, %r1}]"),
            plane,
            default,
            "no handle of a sampler",
        ),
        (
            fetch("[%d1, {%r0, %r1}]"),
            layers,
            default,
            "`.a2d` and not `.2d`",
        ),
        (
            fetch("[%d1, {%r0, %r1}]"),
            integers,
            default,
            "gives integers",
        ),
        (
            fetch("[%d1, {%r0, %r1}]").replace("v4.f32", "v4.u32"),
            integers,
            linear,
            "linear filter",
        ),
        (
            fetch("[%d1, {%r0, %r1}]").replace("f32.f32", "f32.s32"),
            plane,
            linear,
            "without a filter",
        ),
        (
            "tex.2d.v4.f32.s32 {%r4, %r5, %r6, %r7}, [%d1, {4, 0}];".into(),
            plane,
            default,
            "4 is outside of an axis of 4",
        ),
        (
            "tex.2d.v4.f32.s32 {%r4, %r5, %r6, %r7}, [%d1, {0, -1}];".into(),
            plane,
            default,
            "-1 is outside",
        ),
        (
            "tex.a2d.v4.f32.s32 {%r4, %r5, %r6, %r7}, [%d1, {4, 0, 0, 0}];".into(),
            layers,
            default,
            "no layer 4 of 4",
        ),
        (fetch("[%d1, {0f7FC00000, %r1}]"), plane, default, "nowhere"),
        (
            "tld4.b.2d.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%d1, {%r0, %r1}];".into(),
            plane,
            default,
            "not that channel",
        ),
        (
            "suq.width.b32 %r4, [%d1];".into(),
            plane,
            default,
            "no handle of a surface",
        ),
    ] {
        let fault = run(
            &body,
            &[0; 256],
            texture(image, sampler),
            sampler,
            &[[0; 4]],
        )
        .expect_err(&body);
        assert!(matches!(fault.kind, FaultKind::Texture(_)), "{fault}");
        assert!(fault.to_string().contains(says), "{fault}");
    }
    // Channels that an element lacks have no value, whatever was in the register.
    let body = "mov.u32 %r6, 1; tex.2d.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%d1, {%r0, %r1}]; add.u32 %r6, %r6, 1;";
    let fault =
        run(body, &[0; 256], texture(plane, default), default, &[[0; 4]]).expect_err("no value");
    assert!(
        matches!(fault.kind, FaultKind::UninitializedRegister { .. }),
        "{fault}"
    );
}

#[test]
fn images_are_checked_where_they_are_made() {
    let mut memory = Memory::new();
    let address = memory.alloc(64, 16);
    let plane = |width, height| Image {
        address,
        channel: Channel::Float32,
        channels: 1,
        shape: Shape::Plane { width, height },
    };
    let sampler = Sampler::default();
    memory
        .texture(&texture(plane(4, 4), sampler))
        .expect("all of it");
    memory.surface(&plane(4, 5)).expect_err("too long");
    memory.surface(&plane(0, 5)).expect_err("nothing");
    memory
        .surface(&plane(u32::MAX, u32::MAX))
        .expect_err("too long by far");
    let three = Image {
        channels: 3,
        ..plane(2, 2)
    };
    memory.surface(&three).expect_err("three channels");
    let inside = Image {
        address: address + 4,
        ..plane(2, 2)
    };
    memory
        .surface(&inside)
        .expect_err("not at a multiple of 16");
    let normalized = Texture {
        read: ReadMode::Normalized,
        ..texture(plane(4, 4), sampler)
    };
    memory.texture(&normalized).expect_err("not of integers");
}

/// Variables in place of handles, in both modes, and the same variables by their addresses.
#[test]
fn variables_stand_for_what_they_are_bound_to() {
    let text = |mode: &str, body: &str| {
        format!(
            ".version 7.0\n.target sm_80{mode}\n.address_size 64\n\
             .global .texref picture; .global .surfref canvas; SAMPLER\n\
             .visible .entry k(.param .u64 out) {{\n\
             .reg .pred %p<4>; .reg .b32 %r<8>; .reg .f32 %f<8>; .reg .b64 %d<4>;\n\
             ld.param.u64 %d1, [out]; mov.f32 %f4, 0f3FC00000; mov.u64 %d2, picture;\n\
             {body}\n st.global.f32 [%d1], %f0; }}"
        )
        .replace(
            "SAMPLER",
            if mode.is_empty() {
                ""
            } else {
                ".global .samplerref brush;"
            },
        )
    };
    let linear = Sampler {
        filter: Filter::Linear,
        ..Sampler::default()
    };
    let line = texture(
        image(Channel::Float32, 1, Shape::Line { width: 3 }),
        Sampler::default(),
    );
    let launch = |text: &str, names: &[&str]| {
        let module = Module::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let mut memory = Memory::new();
        let texels: Vec<u8> = [1f32, 7.0, 5.0]
            .iter()
            .flat_map(|x| x.to_le_bytes())
            .collect();
        let address = memory.alloc_with(&texels, 16);
        let image = Image {
            address,
            ..line.image
        };
        let handles = [
            memory
                .texture(&Texture { image, ..line })
                .expect("a texture"),
            memory.surface(&image).expect("a surface"),
            memory.sampler(linear),
        ];
        let out = memory.alloc(4, 16);
        let mut launch = Launch::new("k").args([Arg::from(out)]);
        for &name in names {
            let number = ["picture", "canvas", "brush"]
                .iter()
                .position(|found| *found == name);
            launch = launch.bind(name, handles[number.unwrap_or(0)]);
        }
        crate::support::launch(&module, &launch, &mut memory, &Options::default())?;
        Ok::<_, Fault>(f32::from_le_bytes(
            memory.bytes(out).unwrap().try_into().unwrap(),
        ))
    };
    let point = "tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [picture, {%f4}];";
    let by_address = "tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d2, {%f4}];";
    let sampled =
        "mov.f32 %f4, 0f40000000; tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [picture, brush, {%f4}];";
    let stored = "mov.u32 %r1, 8; suld.b.1d.b32.trap %f0, [canvas, {%r1}];";
    let asked = "txq.width.b32 %r0, [picture]; suq.width.b32 %r1, [canvas]; istypep.texref %p0, %d2;
         mov.u64 %d3, canvas; istypep.surfref %p1, %d3; istypep.texref %p2, %d3; @!%p0 trap; @!%p1 trap; @%p2 trap;
         add.u32 %r0, %r0, %r1; cvt.rn.f32.u32 %f0, %r0;";
    let independent = ", texmode_independent";
    for (mode, body, expected) in [
        ("", point, 7.0),
        ("", by_address, 7.0),
        ("", stored, 5.0),
        ("", asked, 6.0),
        (independent, sampled, 6.0),
    ] {
        let names: &[&str] = if mode.is_empty() {
            &["picture", "canvas"]
        } else {
            &["picture", "brush"]
        };
        let found =
            launch(&text(mode, body), names).unwrap_or_else(|fault| panic!("{body}: {fault}"));
        assert_eq!(found, expected, "{body}");
    }
    let fault = launch(&text("", point), &["canvas"]).expect_err("not bound");
    assert!(fault.to_string().contains("`Launch::bind`"), "{fault}");
    let fault = launch(&text("", stored), &["canvas", "nobody"]).expect_err("no variable");
    assert!(matches!(fault.kind, FaultKind::Launch(_)), "{fault}");
    let fault = launch(&text("", "st.global.u64 [picture], %d1;"), &[]).expect_err("a store");
    assert!(matches!(fault.kind, FaultKind::ReadOnly { .. }), "{fault}");
}

#[test]
fn run_takes_textures() {
    let text = ".version 7.0\n.target sm_80\n.address_size 64\n\
         .visible .entry k(.param .u64 image, .param .u64 out) {\n\
         .reg .b32 %r<8>; .reg .f32 %f<8>; .reg .b64 %d<4>;\n\
         ld.param.u64 %d0, [image]; ld.param.u64 %d1, [out];\n\
         mov.f32 %f4, 0f3FC00000; tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, {%f4}];\n\
         st.global.f32 [%d1], %f0; }";
    let sampler = Sampler {
        filter: Filter::Linear,
        ..Sampler::default()
    };
    let line = texture(
        image(Channel::Float32, 1, Shape::Line { width: 3 }),
        sampler,
    );
    let mut out = [0f32];
    let args = [
        Argument::texture(&[1f32, 7.0, 5.0], line),
        Argument::in_out(&mut out),
    ];
    let report = tile_sim::run(text, "k", 1, 1, args, RunOptions::default()).expect("it is PTX");
    assert!(report.fault().is_none(), "{report}");
    assert_eq!(out, [7.0]);
}
