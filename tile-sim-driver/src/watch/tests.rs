use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr::{self, null_mut};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::abi::{CUcontext, CUstream, Out};
use crate::api::context::{cuCtxCreate_v4, cuCtxDestroy_v2, cuCtxSynchronize};
use crate::api::copy::cuMemcpyDtoHAsync_v2;
use crate::api::device::cuInit;
use crate::api::memory::{cuMemAlloc_v2, cuMemHostAlloc};
use crate::memory::PAGE;
use crate::result::CUresult;

/// A page that the handler of the program makes accessible.
static OWN: AtomicUsize = AtomicUsize::new(0);
static CALLED: AtomicBool = AtomicBool::new(false);

extern "C" fn handle(_signal: c_int, info: *mut libc::siginfo_t, _context: *mut c_void) {
    // SAFETY: the system gave the information of a fault.
    let address = unsafe { (*info).si_addr() }.addr();
    let page = OWN.load(Ordering::Relaxed);
    assert!(
        (page..page + PAGE).contains(&address),
        "the driver keeps its own faults"
    );
    CALLED.store(true, Ordering::Relaxed);
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let page = ptr::with_exposed_provenance_mut(page);
    // SAFETY: the page is that of the test.
    unsafe { libc::mprotect(page, PAGE, access) };
}

fn ok(result: CUresult) {
    assert_eq!(result, CUresult::CUDA_SUCCESS);
}

/// One test, since the handler is that of the process.
#[test]
fn other_faults_go_to_the_handler_of_before_and_system_calls_fail() {
    // SAFETY: all zeros are a valid value of the C structure.
    let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
    let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = handle;
    action.sa_sigaction = handler as *const () as usize;
    action.sa_flags = libc::SA_SIGINFO;
    // SAFETY: the structure is valid; the call maps a page that the test keeps.
    let own = unsafe {
        libc::sigaction(libc::SIGSEGV, &raw const action, null_mut());
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        libc::mmap(null_mut(), PAGE, libc::PROT_NONE, flags, -1, 0)
    };
    assert_ne!(own, libc::MAP_FAILED);
    OWN.store(own.expose_provenance(), Ordering::Relaxed);

    let (mut context, mut memory, mut pinned) = (CUcontext::NULL, 0, null_mut::<c_void>());
    // SAFETY: every pointer is to a variable of this function, or to memory that the calls returned.
    unsafe {
        ok(cuInit(0));
        let parameters = Out::of(null_mut());
        ok(cuCtxCreate_v4(Out::of(&raw mut context), parameters, 0, 0));
        ok(cuMemAlloc_v2(Out::of(&raw mut memory), 64));
        ok(cuMemHostAlloc(Out::of(&raw mut pinned), 64, 0));

        own.cast::<u8>().write_volatile(1);
        assert!(CALLED.load(Ordering::Relaxed));

        let mut ends = [0; 2];
        assert_eq!(libc::pipe(ends.as_mut_ptr()), 0);
        ok(cuMemcpyDtoHAsync_v2(
            Out::of(pinned),
            memory,
            64,
            CUstream::NULL,
        ));
        assert_eq!(libc::write(ends[1], pinned, 64), -1);
        assert_eq!(*libc::__errno_location(), libc::EFAULT);
        ok(cuCtxSynchronize());
        assert_eq!(libc::write(ends[1], pinned, 64), 64);

        // An access before the wait is noted once, and read as it is.
        ok(cuMemcpyDtoHAsync_v2(
            Out::of(pinned),
            memory,
            64,
            CUstream::NULL,
        ));
        pinned.cast::<u8>().write_volatile(3);
        assert!(super::has_noted() || crate::state::lock().last_fault.contains("the host writes"));
        assert_eq!(cuCtxSynchronize(), CUresult::CUDA_ERROR_LAUNCH_FAILED);
        assert!(!super::has_noted());
        let fault = crate::state::lock().last_fault.clone();
        assert!(fault.contains("the host writes"), "{fault}");
        ok(cuCtxDestroy_v2(context));
    }
}
