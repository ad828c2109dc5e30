//! Surfaces: bytes at coordinates.

use tile_sim::{
    Arg, Argument, Channel, Fault, FaultKind, Image, Launch, Memory, Module, Options, RunOptions,
    Shape,
};

/// `%r0` to `%r3` are a thread's coordinates; `%d4` leads to its value of 16 bytes.
fn module(body: &str) -> Module {
    let text = format!(
        ".version 8.1\n.target sm_90\n.address_size 64\n\
         .visible .entry k(.param .u64 handle, .param .u64 at, .param .u64 values) {{\n\
         .reg .pred %p<4>; .reg .b16 %h<8>; .reg .b32 %r<32>; .reg .b64 %d<16>;\n\
         mov.u32 %r20, %tid.x; mul.wide.u32 %d0, %r20, 16; ld.param.u64 %d1, [handle];\n\
         ld.param.u64 %d3, [at]; add.u64 %d3, %d3, %d0; ld.param.u64 %d4, [values]; add.u64 %d4, %d4, %d0;\n\
         ld.global.v4.u32 {{%r0, %r1, %r2, %r3}}, [%d3];\n\
         {body}\n}}\n"
    );
    Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What the image and the values then hold.
fn run(
    body: &str,
    image: Image,
    bytes: &[u8],
    at: &[[i32; 4]],
    values: &[u8],
) -> Result<(Vec<u8>, Vec<u8>), Fault> {
    let mut memory = Memory::new();
    let address = memory.alloc_with(bytes, 16);
    let handle = memory
        .surface(&Image { address, ..image })
        .expect("a surface");
    let at_bytes: Vec<u8> = at
        .iter()
        .flatten()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    let at_address = memory.alloc_with(&at_bytes, 16);
    let values = memory.alloc_with(values, 16);
    let launch = Launch::new("k")
        .threads(at.len() as u32)
        .args([handle, at_address, values].map(Arg::from));
    crate::support::launch(&module(body), &launch, &mut memory, &Options::default())?;
    let all = |address| memory.bytes(address).expect("allocated").to_vec();
    Ok((all(address), all(values)))
}

fn draws(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed;
    move |bound| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ mixed >> 27) % bound
    }
}

/// A shape, its extents with layers last, its name, and its coordinates.
fn shapes() -> [(Shape, [i64; 3], &'static str, &'static str); 5] {
    [
        (Shape::Line { width: 24 }, [24, 1, 1], "1d", "{%r0}"),
        (
            Shape::Plane {
                width: 8,
                height: 6,
            },
            [8, 6, 1],
            "2d",
            "{%r0, %r1}",
        ),
        (
            Shape::Volume {
                width: 8,
                height: 3,
                depth: 4,
            },
            [8, 3, 4],
            "3d",
            "{%r0, %r1, %r2, %r31}",
        ),
        (
            Shape::Lines {
                width: 16,
                layers: 4,
            },
            [16, 1, 4],
            "a1d",
            "{%r2, %r0}",
        ),
        (
            Shape::Planes {
                width: 8,
                height: 3,
                layers: 4,
            },
            [8, 3, 4],
            "a2d",
            "{%r2, %r0, %r1, %r31}",
        ),
    ]
}

/// Registers of `count` values of `bytes` bytes.
fn registers(bytes: usize, count: usize) -> String {
    let class = match bytes {
        1 | 2 => "h",
        4 => "r",
        _ => "d",
    };
    let all: Vec<String> = (0..count)
        .map(|index| format!("%{class}{}", 5 + index % 3 + index / 3 * 3))
        .collect();
    if count == 1 {
        all[0].clone()
    } else {
        format!("{{{}}}", all.join(", "))
    }
}

/// Where the bytes of an access lie; `None` if it does nothing.
fn place(
    outside: &str,
    extents: [i64; 3],
    layered: bool,
    element: i64,
    bytes: i64,
    at: [i32; 4],
) -> Option<usize> {
    let limits = [extents[0] * element - bytes, extents[1] - 1, extents[2] - 1];
    let mut inside = [0; 3];
    for axis in 0..3 {
        let index = i64::from(at[axis]);
        let within = index >= 0 && index <= limits[axis];
        inside[axis] = match outside {
            _ if within => index,
            "clamp" if axis < 2 || !layered => {
                if index < 0 {
                    0
                } else {
                    limits[axis]
                }
            }
            _ => return None,
        };
    }
    let [x, y, z] = inside;
    Some(((z * extents[1] + y) * extents[0] * element + x) as usize)
}

#[test]
fn loads_and_stores_reach_their_bytes() {
    let mut draw = draws(5);
    let mut nothing = 0;
    for (shape, extents, name, coordinates) in shapes() {
        let layered = name.starts_with('a');
        let total = extents.iter().product::<i64>() as usize * 4;
        let image = Image {
            address: 0,
            channel: Channel::Unsigned8,
            channels: 4,
            shape,
        };
        for (bytes, count) in [
            (1, 1),
            (2, 1),
            (4, 1),
            (8, 1),
            (1, 2),
            (2, 2),
            (4, 2),
            (8, 2),
            (1, 4),
            (2, 4),
            (4, 4),
        ] {
            // `%h8` is not declared.
            if bytes < 4 && count == 4 {
                continue;
            }
            let vector = if count == 1 {
                String::new()
            } else {
                format!(".v{count}")
            };
            let size = bytes * count;
            for (number, outside) in ["trap", "clamp", "zero"].into_iter().enumerate() {
                let axes =
                    [1, 2, 3, 1, 2][shapes().iter().position(|found| found.2 == name).unwrap()];
                let mut used = std::collections::BTreeSet::new();
                let mut at = Vec::new();
                // Threads that store do not meet.
                for _ in 0..400 {
                    if at.len() == 20 {
                        break;
                    }
                    let mut one = [0; 4];
                    for axis in 0..3 {
                        let extent = if axis == 0 {
                            extents[0] * 4 / size as i64
                        } else {
                            extents[axis]
                        };
                        let layer = axis == 2 && layered;
                        let margin = i64::from(outside != "trap" && !layer && axis < axes);
                        let index = draw((extent + 2 * margin) as u64) as i64 - margin;
                        one[axis] = (if axis == 0 {
                            index * size as i64
                        } else {
                            index
                        }) as i32;
                    }
                    let place = place(outside, extents, layered, 4, size as i64, one);
                    if place.is_none() || used.insert(place) {
                        at.push(one);
                        nothing += u32::from(place.is_none());
                    }
                }
                let texels: Vec<u8> = (0..total).map(|_| draw(256) as u8).collect();
                let values: Vec<u8> = (0..16 * at.len()).map(|_| draw(256) as u8).collect();
                let operand = registers(bytes, count);
                let bits = 8 * bytes;
                let operator = [["", ".ca"], ["", ".cg"], [".cs", ""]][number][bytes % 2];
                let load = format!(
                    "suld.b.{name}{operator}{vector}.b{bits}.{outside} {operand}, [%d1, {coordinates}];
                     st.global{vector}.b{bits} [%d4], {operand};"
                );
                let (after, found) = run(&load, image, &texels, &at, &values)
                    .unwrap_or_else(|fault| panic!("{load}: {fault}"));
                assert_eq!(after, texels);
                let store = format!(
                    "ld.global{vector}.b{bits} {operand}, [%d4];
                     sust.b.{name}{vector}.b{bits}.{outside} [%d1, {coordinates}], {operand};"
                );
                let (after, _) = run(&store, image, &texels, &at, &values)
                    .unwrap_or_else(|fault| panic!("{store}: {fault}"));
                let mut expected = texels.clone();
                for (thread, &at) in at.iter().enumerate() {
                    let place = place(outside, extents, layered, 4, size as i64, at);
                    let zeros = vec![0; size];
                    let there = place.map_or(&zeros[..], |place| &texels[place..place + size]);
                    assert_eq!(
                        &found[16 * thread..16 * thread + size],
                        there,
                        "{load} at {at:?}"
                    );
                    if let Some(place) = place {
                        expected[place..place + size]
                            .copy_from_slice(&values[16 * thread..16 * thread + size]);
                    }
                }
                assert_eq!(after, expected, "{store}");
            }
        }
    }
    assert!(nothing > 100, "{nothing}");
}

#[test]
fn reductions_of_threads_are_atomic() {
    let image = Image {
        address: 0,
        channel: Channel::Unsigned32,
        channels: 2,
        shape: Shape::Plane {
            width: 2,
            height: 2,
        },
    };
    let texels: Vec<u8> = [7u32, 0, 40, 0, 5, 0, u32::MAX - 3, u32::MAX]
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    // All threads change the element of the second row and column.
    let line = Shape::Line { width: 4 };
    let volume = Shape::Volume {
        width: 2,
        height: 1,
        depth: 2,
    };
    let places = [
        (image.shape, "2d", "{%r0, %r1}", "trap", [8, 1, 0, 0]),
        (line, "1d", "{%r0}", "trap", [24, 0, 0, 0]),
        (line, "1d", "{%r0}", "zero", [24, 0, 0, 0]),
        (volume, "3d", "{%r0, %r1, %r2, %r2}", "clamp", [8, 0, 1, 0]),
    ];
    let numbers = |f: fn(u64) -> u64| -> Vec<u8> {
        (0..40)
            .flat_map(|thread| [f(thread), 0])
            .flat_map(u64::to_le_bytes)
            .collect()
    };
    let old = u64::from_le_bytes(texels[24..32].try_into().unwrap());
    assert_eq!(old, (-4i64).cast_unsigned());
    for (operation, ty, f, expected) in [
        (
            "add",
            "u32",
            (|x| x + 1) as fn(u64) -> u64,
            old & !0xffff_ffff | (old as u32).wrapping_add(820) as u64,
        ),
        ("add", "u64", |x| x + 1, old.wrapping_add(820)),
        (
            "add",
            "s32",
            |x| x * 2,
            old & !0xffff_ffff | (old as u32).wrapping_add(1560) as u64,
        ),
        (
            "min",
            "s32",
            |x| x.wrapping_sub(20),
            old & !0xffff_ffff | 0xffff_ffec,
        ),
        ("max", "s32", |x| x, old & !0xffff_ffff | 0x27),
        ("min", "u32", |x| x + 3, old & !0xffff_ffff | 3),
        ("max", "u32", |x| x, old),
        (
            "min",
            "s64",
            |x| x.wrapping_sub(20),
            (-20i64).cast_unsigned(),
        ),
        ("max", "s64", |x| x << 33, 39 << 33),
        ("min", "u64", |x| (x + 5) << 20, 5 << 20),
        ("max", "u64", |x| x << 33, old),
        ("and", "b32", |x| !(1 << (x % 8)), old & !0xff),
        ("or", "b32", |x| 1 << (x % 2), old | 3),
    ] {
        let value = if ty.ends_with("64") { "%d5" } else { "%r5" };
        for (shape, name, coordinates, outside, at) in places {
            let body = format!(
                "ld.global.b{} {value}, [%d4]; sured.b.{operation}.{name}.{ty}.{outside} [%d1, {coordinates}], {value};",
                &ty[1..]
            );
            let image = Image { shape, ..image };
            let (after, _) = run(&body, image, &texels, &[at; 40], &numbers(f))
                .unwrap_or_else(|fault| panic!("{body}: {fault}"));
            let found = u64::from_le_bytes(after[24..32].try_into().unwrap());
            assert_eq!(found, expected, "{body}");
            assert_eq!(after[..24], texels[..24]);
        }
    }
}

/// Elements by their indices: registers go to channels, and what is left of either is left.
#[test]
fn elements_are_stored_and_reduced_by_their_indices() {
    let words = |bytes: &[u8]| -> Vec<u32> {
        let words = bytes.chunks_exact(4);
        words
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect()
    };
    for channel in [Channel::Unsigned32, Channel::Signed32, Channel::Float32] {
        for (shape, extents, name, coordinates) in shapes() {
            let axes = [1, 2, 3, 1, 2][shapes().iter().position(|found| found.2 == name).unwrap()];
            let layered = name.starts_with('a');
            for channels in [1, 2, 4] {
                let counts = [1, 2, 4].into_iter();
                let forms =
                    counts.flat_map(|count| ["trap", "clamp", "zero"].map(|how| (count, how)));
                for (count, outside) in forms {
                    let image = Image {
                        address: 0,
                        channel,
                        channels,
                        shape,
                    };
                    let total = extents.iter().product::<i64>() as usize * channels;
                    let at: Vec<[i32; 4]> = (0..12)
                        .map(|thread| {
                            let mut at = [thread % 4 * 2, 0, 0, 0];
                            if axes > 1 {
                                at[1] = thread / 4 % extents[1] as i32;
                            }
                            if axes > 2 || layered {
                                at[2] = thread / 4 % extents[2] as i32;
                            }
                            if axes == 1 && !layered {
                                at[0] = thread * 2;
                            }
                            // The last one is before the image.
                            if thread == 11 && outside != "trap" {
                                at[0] = -1;
                            }
                            at
                        })
                        .collect();
                    let values: Vec<u8> = (0..48u32)
                        .flat_map(|word| (word * 0x0103_0507).to_le_bytes())
                        .collect();
                    let vector = if count == 1 {
                        String::new()
                    } else {
                        format!(".v{count}")
                    };
                    let operand = ["%r4", "", "{%r4, %r5}", "", "{%r4, %r5, %r6, %r7}"]
                        [if count == 1 { 0 } else { count }];
                    let body = format!(
                        "ld.global{vector}.b32 {operand}, [%d4]; sust.p.{name}{vector}.b32.{outside} [%d1, {coordinates}], {operand};"
                    );
                    let before = vec![7; 4 * total];
                    let (after, _) = run(&body, image, &before, &at, &values)
                        .unwrap_or_else(|fault| panic!("{body}: {fault}"));
                    let (after, values) = (words(&after), words(&values));
                    let mut expected: Vec<Option<u32>> = vec![Some(0x0707_0707); total];
                    for (thread, &[x, y, z, _]) in at.iter().enumerate() {
                        let x = match outside {
                            _ if x >= 0 => i64::from(x),
                            "clamp" => 0,
                            _ => continue,
                        };
                        let element =
                            ((i64::from(z) * extents[1] + i64::from(y)) * extents[0] + x) as usize;
                        for channel in 0..channels {
                            let value = (channel < count).then(|| values[4 * thread + channel]);
                            expected[element * channels + channel] = value;
                        }
                    }
                    // Two threads are clamped to one element; lanes of a warp may.
                    for (at, (found, expected)) in after.iter().zip(expected).enumerate() {
                        assert!(
                            expected.is_none_or(|expected| expected == *found),
                            "{body} word {at}: {found:x}"
                        );
                    }
                }
            }
        }
    }
    let texels: Vec<u8> = [9u32, u32::MAX - 4, 6, 0]
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    let values: Vec<u8> = (0..20u32)
        .flat_map(|thread| [thread + 3, 0, 0, 0])
        .flat_map(u32::to_le_bytes)
        .collect();
    for (operation, unsigned, signed) in [
        ("add", (250 - 5) as u32, (250 - 5) as u32),
        ("min", 3, u32::MAX - 4),
        ("max", u32::MAX - 4, 22),
        ("and", 0, 0),
        ("or", u32::MAX, u32::MAX),
    ] {
        for (channel, expected) in [(Channel::Unsigned32, unsigned), (Channel::Signed32, signed)] {
            for (shape, name, coordinates, at) in [
                (Shape::Line { width: 4 }, "1d", "{%r0}", [1, 0, 0, 0]),
                (
                    Shape::Plane {
                        width: 1,
                        height: 4,
                    },
                    "2d",
                    "{%r0, %r1}",
                    [0, 1, 0, 0],
                ),
            ] {
                let image = Image {
                    address: 0,
                    channel,
                    channels: 1,
                    shape,
                };
                for outside in ["trap", "clamp"] {
                    let body = format!(
                        "ld.global.u32 %r5, [%d4]; sured.p.{operation}.{name}.b32.{outside} [%d1, {coordinates}], %r5;"
                    );
                    let (after, _) = run(&body, image, &texels, &[at; 20], &values)
                        .unwrap_or_else(|fault| panic!("{body}: {fault}"));
                    assert_eq!(words(&after), [9, expected, 6, 0], "{body} {channel:?}");
                }
            }
        }
    }
    let line = |channel, channels| Image {
        address: 0,
        channel,
        channels,
        shape: Shape::Line { width: 4 },
    };
    for (body, image, says) in [
        (
            "sust.p.1d.b32.trap [%d1, {%r0}], %r0;",
            line(Channel::Unsigned8, 4),
            "channels of 32 bits",
        ),
        (
            "sured.p.add.1d.b32.trap [%d1, {%r0}], %r0;",
            line(Channel::Unsigned32, 2),
            "one integer",
        ),
        (
            "sured.p.add.1d.b32.trap [%d1, {%r0}], %r0;",
            line(Channel::Float32, 1),
            "one integer",
        ),
        (
            "sust.p.1d.b32.trap [%d1, {4}], %r0;",
            line(Channel::Unsigned32, 1),
            "is outside of",
        ),
    ] {
        let fault = run(body, image, &[0; 64], &[[0; 4]], &[0; 16]).expect_err(body);
        assert!(fault.to_string().contains(says), "{fault}");
    }
}

#[test]
fn what_is_outside_traps() {
    let image = |shape| Image {
        address: 0,
        channel: Channel::Unsigned8,
        channels: 1,
        shape,
    };
    let plane = image(Shape::Plane {
        width: 32,
        height: 4,
    });
    let lines = image(Shape::Lines {
        width: 16,
        layers: 4,
    });
    let (load, store) = (
        "suld.b.2d.b32.trap %r5, [%d1, {%r0, %r1}];",
        "sust.b.2d.b32.trap [%d1, {%r0, %r1}], %r0;",
    );
    for (body, image, at, says) in [
        (
            load,
            plane,
            [32, 0, 0, 0],
            "32 is outside of an axis of 32 bytes",
        ),
        (store, plane, [-4, 0, 0, 0], "-4 is outside"),
        (
            store,
            plane,
            [0, 4, 0, 0],
            "4 is outside of an axis of 4 elements",
        ),
        (load, lines, [0, 0, 0, 0], "`.a1d` and not `.2d`"),
        (
            "suld.b.a1d.b32.clamp %r5, [%d1, {%r0, %r1}];",
            lines,
            [4, 0, 0, 0],
            "no layer 4 of 4",
        ),
        (
            "sured.b.add.2d.u32.trap [%d1, {%r0, %r1}], %r0;",
            plane,
            [0, -1, 0, 0],
            "-1 is outside",
        ),
        (
            "suld.b.2d.b32.trap %r5, [%d3, {%r0, %r1}];",
            plane,
            [0; 4],
            "no handle of a surface",
        ),
        (
            "suld.b.2d.v4.b32.clamp {%r4, %r5, %r6, %r7}, [%d1, {%r0, %r1}];",
            image(Shape::Plane {
                width: 8,
                height: 4,
            }),
            [0; 4],
            "for 16 bytes",
        ),
    ] {
        let fault = run(body, image, &[0; 128], &[at], &[0; 16]).expect_err(body);
        assert!(matches!(fault.kind, FaultKind::Texture(_)), "{fault}");
        assert!(fault.to_string().contains(says), "{fault}");
    }
    let fault = run(load, plane, &[0; 128], &[[2, 0, 0, 0]], &[0; 16]).expect_err("misaligned");
    assert!(
        matches!(
            fault.kind,
            FaultKind::Misaligned {
                space: "surface",
                ..
            }
        ),
        "{fault}"
    );
}

#[test]
fn threads_race_for_an_element() {
    let image = Image {
        address: 0,
        channel: Channel::Unsigned32,
        channels: 1,
        shape: Shape::Line { width: 64 },
    };
    let at: Vec<[i32; 4]> = (0..64).map(|thread| [4 * thread, 0, 0, 0]).collect();
    let body = |barrier: &str| {
        format!(
            "sust.b.1d.b32.trap [%d1, {{%r0}}], %r20; {barrier} xor.b32 %r0, %r0, 128;
             suld.b.1d.b32.trap %r5, [%d1, {{%r0}}]; st.global.u32 [%d4], %r5;"
        )
    };
    let (_, values) =
        run(&body("bar.sync 0;"), image, &[0; 256], &at, &[0; 1024]).expect("no race");
    for thread in 0..64u32 {
        let found = &values[16 * thread as usize..][..4];
        assert_eq!(found, (thread ^ 32).to_le_bytes());
    }
    let fault = run(&body(""), image, &[0; 256], &at, &[0; 1024]).expect_err("a race");
    assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
}

#[test]
fn kernels_ask_what_a_surface_is() {
    for (shape, sizes) in [
        (
            Shape::Volume {
                width: 3,
                height: 4,
                depth: 5,
            },
            [3, 4, 5, 1],
        ),
        (
            Shape::Planes {
                width: 3,
                height: 4,
                layers: 6,
            },
            [3, 4, 1, 6],
        ),
    ] {
        let image = Image {
            address: 0,
            channel: Channel::Unsigned8,
            channels: 2,
            shape,
        };
        let body = "suq.width.b32 %r4, [%d1]; suq.height.b32 %r5, [%d1]; suq.depth.b32 %r6, [%d1]; suq.array_size.b32 %r7, [%d1];
             st.global.v4.u32 [%d4], {%r4, %r5, %r6, %r7};";
        let (_, values) = run(body, image, &[0; 256], &[[0; 4]], &[0; 16]).expect("it is there");
        assert_eq!(values, sizes.map(u32::to_le_bytes).concat());
    }
}

#[test]
fn run_takes_surfaces() {
    let text = ".version 7.0\n.target sm_80\n.address_size 64\n\
         .visible .entry k(.param .u64 image) {\n\
         .reg .b32 %r<8>; .reg .b64 %d<4>;\n\
         ld.param.u64 %d0, [image]; mov.u32 %r0, %tid.x; mul.lo.u32 %r1, %r0, 4;\n\
         suld.b.1d.b32.trap %r2, [%d0, {%r1}]; mul.lo.u32 %r2, %r2, 3; sust.b.1d.b32.trap [%d0, {%r1}], %r2; }";
    let mut elements = [1u32, 2, 3, 4];
    let line = Image {
        address: 0,
        channel: Channel::Unsigned32,
        channels: 1,
        shape: Shape::Line { width: 4 },
    };
    let args = [Argument::surface(&mut elements, line)];
    let report = tile_sim::run(text, "k", 1, 4, args, RunOptions::default()).expect("it is PTX");
    assert!(report.fault().is_none(), "{report}");
    assert_eq!(elements, [3, 6, 9, 12]);
}
