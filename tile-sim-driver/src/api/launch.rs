//! Launches.

use std::ffi::{c_int, c_uint, c_void};
use std::sync::Arc;

use tile_sim::Arg;

use crate::abi::{
    CUfunction, CUlaunchAttribute, CUlaunchAttributeValue, CUlaunchConfig, CUstream, In, Out,
};
use crate::because;
use crate::device::{Model, PLAIN_SHARED};
use crate::graph::{Kernel, Kind};
use crate::module::Function;
use crate::queue::Start;
use crate::result::CUresult;
use crate::state::{self, Reply, State};
use crate::work::{Launch, Work};

/// `CUlaunchAttributeID`.
mod attribute {
    pub(super) const IGNORE: u32 = 0;
    pub(super) const ACCESS_POLICY_WINDOW: u32 = 1;
    pub(super) const COOPERATIVE: u32 = 2;
    pub(super) const SYNCHRONIZATION_POLICY: u32 = 3;
    pub(super) const CLUSTER_DIMENSION: u32 = 4;
    pub(super) const CLUSTER_POLICY: u32 = 5;
    pub(super) const PROGRAMMATIC_SERIALIZATION: u32 = 6;
    pub(super) const PRIORITY: u32 = 8;
    pub(super) const MEM_SYNC_DOMAIN_MAP: u32 = 9;
    pub(super) const MEM_SYNC_DOMAIN: u32 = 10;
    pub(super) const PREFERRED_CLUSTER: u32 = 11;
    pub(super) const CARVEOUT: u32 = 14;
}

/// The largest cluster that every device with clusters runs.
const PORTABLE_CLUSTER: i64 = 8;
/// The largest cluster, with the attribute for one that is not portable.
const MAX_CLUSTER: i64 = 16;

/// The end of the list `extra`, and what it names.
const EXTRA_END: usize = 0;
const EXTRA_POINTER: usize = 1;
const EXTRA_SIZE: usize = 2;

/// The size of a launch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) grid: [c_uint; 3],
    pub(crate) block: [c_uint; 3],
    pub(crate) shared: c_uint,
}

/// The attributes of a launch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attributes {
    pub(super) cluster: Option<[c_uint; 3]>,
    is_cooperative: bool,
    start: Start,
}

impl Attributes {
    pub(super) const NONE: Self = Self {
        cluster: None,
        is_cooperative: false,
        start: Start::AfterPrevious,
    };

    /// Reads the attributes of a configuration.
    pub(super) fn read(config: &CUlaunchConfig) -> Reply<Self> {
        let mut read = Self::NONE;
        let attributes = Out::<CUlaunchAttribute>::of(config.attrs).as_in();
        for CUlaunchAttribute { id, value, .. } in attributes.list(config.numAttrs as usize)? {
            let CUlaunchAttributeValue { words } = value;
            match id {
                attribute::COOPERATIVE => read.is_cooperative = words[0] != 0,
                attribute::CLUSTER_DIMENSION => read.cluster = Some([words[0], words[1], words[2]]),
                attribute::PROGRAMMATIC_SERIALIZATION if words[0] != 0 => {
                    read.start = Start::Programmatic;
                }
                attribute::PROGRAMMATIC_SERIALIZATION
                | attribute::IGNORE
                | attribute::ACCESS_POLICY_WINDOW
                | attribute::SYNCHRONIZATION_POLICY
                | attribute::CLUSTER_POLICY
                | attribute::PRIORITY
                | attribute::MEM_SYNC_DOMAIN_MAP
                | attribute::MEM_SYNC_DOMAIN
                | attribute::PREFERRED_CLUSTER
                | attribute::CARVEOUT => {}
                _ if id < 19 => return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED),
                _ => return Err(CUresult::CUDA_ERROR_INVALID_VALUE),
            }
        }
        Ok(read)
    }
}

/// Returns the cluster of a launch of a function, after it has checked that the device runs it.
pub(super) fn cluster(
    function: &Function,
    model: &Model,
    given: Option<[c_uint; 3]>,
) -> Reply<Option<[c_uint; 3]>> {
    let code = &function.code;
    let of_function = function
        .cluster
        .map(|size| c_uint::try_from(size).unwrap_or(0));
    let of_function = (!of_function.contains(&0)).then_some(of_function);
    let cluster = code
        .module
        .required_cluster(&code.name)
        .or(given)
        .or(of_function);
    let Some(cluster) = cluster else {
        return Ok(None);
    };
    let blocks: i64 = cluster.iter().map(|&size| i64::from(size)).product();
    let most = if function.non_portable_cluster {
        MAX_CLUSTER
    } else {
        PORTABLE_CLUSTER
    };
    let most = most.min(i64::from(model.multiprocessors_of_cluster).max(1));
    if blocks < 1 || blocks > most {
        let reason = format!("a cluster of {blocks} blocks is not one of 1 to {most}");
        return Err(because(CUresult::CUDA_ERROR_INVALID_CLUSTER_SIZE, reason));
    }
    Ok(Some(cluster))
}

/// The arguments of a launch as the caller gave them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given {
    pub(crate) params: Out<*mut c_void>,
    pub(crate) extra: Out<*mut c_void>,
}

impl Given {
    /// Reads the arguments of a kernel.
    fn read(self, function: &Function) -> Reply<Vec<Box<[u8]>>> {
        let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
        let code = &function.code;
        let places = code.module.param_places(&code.name).ok_or(invalid)?;
        if !self.params.is_null() && !self.extra.is_null() {
            return Err(invalid);
        }
        if places.is_empty() {
            return Ok(Vec::new());
        }
        if !self.params.is_null() {
            let pointers = self.params.as_in().cast::<In<u8>>();
            let args = places.iter().enumerate().map(|(index, place)| {
                let bytes = pointers.at(index)?.list(place.len())?;
                Ok(bytes.into())
            });
            return args.collect();
        }
        let buffer = self.buffer()?;
        let args = places.into_iter().map(|place| {
            let bytes = buffer.get(place.clone()).ok_or_else(|| {
                let (given, end) = (buffer.len(), place.end);
                let reason = format!(
                    "the arguments have {given} bytes, and `{}` takes {end} or more",
                    code.name
                );
                because(invalid, reason)
            })?;
            Ok(bytes.into())
        });
        args.collect()
    }

    /// Reads the buffer of all arguments that `extra` names.
    fn buffer(self) -> Reply<Vec<u8>> {
        let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
        let list = self.extra.as_in().cast::<usize>();
        let (mut buffer, mut size) = (None, None);
        for pair in 0..3 {
            match list.at(2 * pair)? {
                EXTRA_END => break,
                EXTRA_POINTER => {
                    buffer = Some(self.extra.as_in().cast::<In<u8>>().at(2 * pair + 1)?);
                }
                EXTRA_SIZE => size = Some(self.extra.as_in().cast::<In<usize>>().at(2 * pair + 1)?),
                _ => return Err(invalid),
            }
        }
        let (buffer, size) = (buffer.ok_or(invalid)?, size.ok_or(invalid)?);
        buffer.list(size.get()?)
    }
}

/// Returns the words of arguments, which may be addresses.
fn words(arguments: &[Box<[u8]>]) -> Arc<[u64]> {
    let words = arguments.iter().flat_map(|bytes| {
        let (words, _rest) = bytes.as_chunks();
        words.iter().map(|&word| u64::from_le_bytes(word))
    });
    words.collect()
}

impl State {
    /// Checks a launch, and returns it with its arguments.
    pub(super) fn kernel(
        &self,
        handle: CUfunction,
        size: Size,
        attributes: Attributes,
        given: Given,
    ) -> Reply<Kernel> {
        let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
        let function = self.functions.get(handle)?;
        let context = self.working(function.context)?;
        let model = self.devices[context.device].model;
        let Size {
            grid,
            block,
            shared,
        } = size;
        if grid.contains(&0)
            || block.contains(&0)
            || grid[0] > 0x7fff_ffff
            || grid[1] > 0xffff
            || grid[2] > 0xffff
        {
            let reason =
                format!("a grid of {grid:?} blocks of {block:?} threads cannot be launched");
            return Err(because(invalid, reason));
        }
        let threads: u64 = block.iter().map(|&size| u64::from(size)).product();
        let most = u64::try_from(function.code.max_threads()).unwrap_or(0);
        let name = &function.code.name;
        if threads > 1024 || block[2] > 64 || threads > most {
            let reason =
                format!("a block of {threads} threads is more than the {most} of `{name}`");
            return Err(because(invalid, reason));
        }
        if i64::from(shared) > i64::from(function.max_dynamic_shared) {
            let most = function.max_dynamic_shared;
            let reason = format!(
                "{shared} bytes of dynamic shared memory are more than the {most} of `{name}` \
                 (`CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`)"
            );
            return Err(because(invalid, reason));
        }
        let cluster = cluster(function, model, attributes.cluster)?;
        if let Some(cluster) = cluster
            && (0..3).any(|axis| !grid[axis].is_multiple_of(cluster[axis]))
        {
            let reason =
                format!("a grid of {grid:?} blocks has no whole number of clusters of {cluster:?}");
            return Err(because(invalid, reason));
        }
        if attributes.is_cooperative {
            let total_shared = i64::from(shared) + i64::from(function.code.static_shared());
            let total_shared = c_int::try_from(total_shared).unwrap_or(c_int::MAX - PLAIN_SHARED);
            let threads = c_int::try_from(threads).unwrap_or(c_int::MAX);
            let blocks = model.blocks(threads, function.code.registers(), total_shared);
            let at_once = i64::from(blocks) * i64::from(model.multiprocessors);
            let all: i64 = grid.iter().map(|&size| i64::from(size)).product();
            if all > at_once {
                let reason = format!("{all} blocks do not run at the same time, only {at_once} do");
                return Err(because(
                    CUresult::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
                    reason,
                ));
            }
        }
        let mut launch = tile_sim::Launch::new(function.code.name.clone())
            .grid(grid)
            .block(block)
            .dynamic_shared_bytes(shared);
        let arguments = given.read(function)?;
        launch = launch.args(arguments.iter().map(|bytes| Arg::bytes(bytes)));
        if let Some(cluster) = cluster {
            launch = launch.cluster(cluster);
        }
        if let Err(fault) = function.code.module.check(&launch) {
            let reason = format!("the launch of `{}` is refused: {fault}", function.code.name);
            return Err(because(invalid, reason));
        }
        let code = Arc::clone(&function.code);
        let pointers = arguments
            .iter()
            .map(|bytes| bytes.as_ptr().expose_provenance());
        Ok(Kernel {
            function: handle,
            context: function.context,
            size,
            launch: Launch {
                code,
                request: launch,
                words: words(&arguments),
            },
            start: attributes.start,
            pointers: pointers.collect(),
            arguments: arguments.into(),
        })
    }
}

fn launch(
    function: CUfunction,
    size: Size,
    attributes: Attributes,
    stream: CUstream,
    given: Given,
) -> Reply {
    state::not_in_callback()?;
    let mut state = state::initialized()?;
    let stream = state.stream(stream)?;
    let context = state.streams.get(stream)?.context;
    let function = state.resolve(function, context)?;
    let (of_stream, of_function) = (
        state.streams.get(stream)?.context,
        state.functions.get(function)?.context,
    );
    if of_stream != of_function {
        let reason = format!(
            "the function is of context {:#x}, and the stream of context {:#x}",
            of_function.0, of_stream.0
        );
        return Err(because(CUresult::CUDA_ERROR_INVALID_HANDLE, reason));
    }
    let kernel = state.kernel(function, size, attributes, given)?;
    let name = format!("the launch of `{}`", kernel.launch.code.name);
    let (work, start) = (Work::Launch(kernel.launch.clone()), kernel.start);
    state.enqueue(stream, &name, work, start, || {
        Kind::Kernel(Box::new(kernel))
    })?;
    Ok(())
}

api! {
    fn cuLaunchKernel @ptsz(
        function: CUfunction,
        grid_x: c_uint,
        grid_y: c_uint,
        grid_z: c_uint,
        block_x: c_uint,
        block_y: c_uint,
        block_z: c_uint,
        shared: c_uint,
        stream: CUstream,
        params: Out<*mut c_void>,
        extra: Out<*mut c_void>,
    ) {
        let size = Size {
            grid: [grid_x, grid_y, grid_z],
            block: [block_x, block_y, block_z],
            shared,
        };
        launch(function, size, Attributes::NONE, stream, Given { params, extra })
    }

    fn cuLaunchKernelEx @ptsz(config: In<CUlaunchConfig>, function: CUfunction, params: Out<*mut c_void>, extra: Out<*mut c_void>) {
        let config = config.get()?;
        let attributes = Attributes::read(&config)?;
        launch(function, size_of_launch(&config), attributes, config.hStream, Given { params, extra })
    }

    fn cuLaunchCooperativeKernel @ptsz(
        function: CUfunction,
        grid_x: c_uint,
        grid_y: c_uint,
        grid_z: c_uint,
        block_x: c_uint,
        block_y: c_uint,
        block_z: c_uint,
        shared: c_uint,
        stream: CUstream,
        params: Out<*mut c_void>,
    ) {
        let size = Size {
            grid: [grid_x, grid_y, grid_z],
            block: [block_x, block_y, block_z],
            shared,
        };
        let attributes = Attributes {
            is_cooperative: true,
            ..Attributes::NONE
        };
        let extra = Out::of(std::ptr::null_mut());
        launch(function, size, attributes, stream, Given { params, extra })
    }
}

pub(super) fn size_of_launch(config: &CUlaunchConfig) -> Size {
    Size {
        grid: [config.gridDimX, config.gridDimY, config.gridDimZ],
        block: [config.blockDimX, config.blockDimY, config.blockDimZ],
        shared: config.sharedMemBytes,
    }
}
