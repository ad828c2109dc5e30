/* A CUDA driver that does nothing but count the calls, to measure what a launch costs the host. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef unsigned long long ptr;
static char context;
/* The contexts of a thread; the last is the current one. */
static _Thread_local void *contexts[8];
static _Thread_local int pushed;
#define current contexts[pushed]

/* The number of calls so far, of those that are launches, and of those that make a stream wait; the events that exist. */
unsigned long calls, launches, waits, events;

#define CALL(name, ...) int name(__VA_ARGS__) { calls++;
CALL(cuDriverGetVersion, int *v) *v = 12040; return 0; }
CALL(cuInit, unsigned f) (void)f; return 0; }
CALL(cuDeviceGetCount, int *n) *n = 1; return 0; }
CALL(cuDeviceGet, int *d, int i) *d = i; return 0; }
CALL(cuDeviceGetName, char *n, int len, int d) (void)d; snprintf(n, len, "nothing"); return 0; }
CALL(cuDeviceGetAttribute, int *v, int a, int d) (void)d; *v = a == 75 ? 9 : a == 76 ? 0 : a == 16 ? 132 : 1; return 0; }
CALL(cuDevicePrimaryCtxRetain, void **c, int d) (void)d; *c = &context; return 0; }
CALL(cuCtxPushCurrent_v2, void *c) contexts[++pushed] = c; return 0; }
CALL(cuCtxPopCurrent_v2, void **c) *c = contexts[pushed--]; return 0; }
CALL(cuCtxGetCurrent, void **c) *c = current; return 0; }
CALL(cuCtxSetCurrent, void *c) current = c; return 0; }
CALL(cuCtxSynchronize, void) return 0; }
CALL(cuDeviceGetDefaultMemPool, void **p, int d) (void)d; *p = &context; return 0; }
CALL(cuMemPoolSetAttribute, void *p, int a, void *v) (void)p; (void)a; (void)v; return 0; }
CALL(cuMemAllocAsync, ptr *at, size_t bytes, void *s) (void)s; *at = (ptr)aligned_alloc(256, (bytes + 255) / 256 * 256); return 0; }
CALL(cuMemFreeAsync, ptr at, void *s) (void)s; free((void *)at); return 0; }
CALL(cuMemsetD8Async, ptr at, unsigned char v, size_t n, void *s) (void)at; (void)v; (void)n; (void)s; return 0; }
CALL(cuStreamCreate, void **s, unsigned f) (void)f; *s = malloc(1); return 0; }
CALL(cuStreamDestroy_v2, void *s) free(s); return 0; }
CALL(cuStreamSynchronize, void *s) (void)s; return 0; }
CALL(cuStreamWaitEvent, void *s, void *e, unsigned f) (void)s; (void)e; (void)f; waits++; return 0; }
CALL(cuEventCreate, void **e, unsigned f) (void)f; events++; *e = malloc(1); return 0; }
CALL(cuEventRecord, void *e, void *s) (void)e; (void)s; return 0; }
CALL(cuEventDestroy_v2, void *e) events--; free(e); return 0; }
CALL(cuMemcpyDtoHAsync_v2, void *to, ptr at, size_t n, void *s) (void)to; (void)at; (void)n; (void)s; return 0; }
CALL(cuGetErrorName, int e, const char **s) *s = e == 201 ? "CUDA_ERROR_INVALID_CONTEXT" : "ERROR"; return 0; }
CALL(cuModuleLoadData, void **m, const void *image) *m = (void *)image; return 0; }
CALL(cuModuleGetFunction, void **f, void *m, const char *name) (void)name; *f = m; return 0; }
CALL(cuFuncGetAttribute, int *v, int a, void *f) (void)f; *v = a == 0 ? 128 : 80; return 0; }
CALL(cuLaunchKernel, void *f, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by, unsigned bz, unsigned shared,
     void *s, void **params, void **extra)
    (void)f; (void)x; (void)y; (void)z; (void)bx; (void)by; (void)bz; (void)shared; (void)s; (void)params; (void)extra;
    launches++;
    return current ? 0 : 201;
}
