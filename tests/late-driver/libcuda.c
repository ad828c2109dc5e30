/* A CUDA driver without a GPU, to test `src/driver/`: it runs work as late as the rules of streams allow.
 *
 * Work that is put on a stream stays there until something waits for it: a synchronization of that stream, or of
 * an event on it by work that is being run; an event may be recorded again meanwhile. So a wait that is missing shows as a wrong result, where a real device
 * would hide it most of the time. Memory that was freed is overwritten. Calls without a current context, copies
 * beyond an allocation and handles that were destroyed are refused.
 *
 * The kernels that it knows do all what `axpy__general` of tests/gpu/cases.rs does, and differ in how they are started.
 * Of clusters that are active at the same time there are LATE_DRIVER_CLUSTERS (a number below 0 is the error of a
 * cluster that is too large; LATE_DRIVER_REFUSES is that error at the launch), of blocks of a multiprocessor
 * LATE_DRIVER_BLOCKS. What is asked of these and what is launched is written to LATE_DRIVER_LOG. Single-threaded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long ptr;
enum { OK = 0, INVALID_VALUE = 1, NO_MEMORY = 2, INVALID_CONTEXT = 201, NO_BINARY = 209, INVALID_HANDLE = 400,
       NOT_FOUND = 500, NOT_READY = 600, ILLEGAL_ADDRESS = 700, INVALID_CLUSTER_SIZE = 912 };
enum kind { SET, COPY, KERNEL, RECORD, WAIT, FREE };

/* A record of an event. What waits for an event waits for its last record at that time. */
struct record { int done; struct stream *stream; };
struct event { int magic; struct record *last; };
struct op {
    enum kind kind;
    char *dst;
    const char *src;
    size_t bytes, width;
    unsigned value;
    unsigned long long params[7];
    ptr positions;
    unsigned threads;
    struct record *record;
    struct op *next;
};
struct stream { int magic; struct op *first, **last; };
struct block { char *at; size_t bytes; int freed; struct block *next; };

#define STREAM 0x57
#define EVENT 0x45
static struct block *blocks;
static int depth, failed;
static char context;

static struct block *find(ptr at, size_t bytes) {
    for (struct block *b = blocks; b; b = b->next)
        if (!b->freed && (ptr)b->at <= at && at + bytes <= (ptr)b->at + b->bytes) return b;
    return NULL;
}

static void run_until(struct stream *s, struct record *until);

static void axpy(const struct op *op) {
    const unsigned long long *p = op->params;
    float factor, *x = (float *)p[0];
    const float *y = (const float *)p[3];
    memcpy(&factor, &p[6], 4);
    ptr n = op->positions * op->threads < p[1] ? op->positions * op->threads : p[1];
    if (!find(p[0], ((n - 1) * p[2] + 1) * 4) || !find(p[3], ((n - 1) * p[5] + 1) * 4)) { failed = 1; return; }
    for (ptr i = 0; i < n; i++) x[i * p[2]] = x[i * p[2]] * factor + y[i * p[5]];
}

static void run(struct op *op) {
    switch (op->kind) {
    case SET:
        for (size_t i = 0; i < op->bytes; i += op->width) memcpy(op->dst + i, &op->value, op->width);
        break;
    case COPY: memcpy(op->dst, op->src, op->bytes); break;
    case KERNEL: axpy(op); break;
    case RECORD: op->record->done = 1; break;
    case WAIT: if (!op->record->done) run_until(op->record->stream, op->record); break;
    case FREE: {
        struct block *b = find((ptr)op->dst, 1);
        if (!b || b->at != op->dst) { failed = 1; break; }
        b->freed = 1;
        memset(b->at, 0xAB, b->bytes);
    }
    }
}

static void run_until(struct stream *s, struct record *until) {
    while (s->first && !(until && until->done)) {
        struct op *op = s->first;
        s->first = op->next;
        if (!s->first) s->last = &s->first;
        run(op);
        free(op);
    }
}

static int put(struct stream *s, struct op op) {
    if (!depth) return INVALID_CONTEXT;
    if (!s || s->magic != STREAM) return INVALID_HANDLE;
    struct op *copy = malloc(sizeof op);
    *copy = op;
    copy->next = NULL;
    *s->last = copy;
    s->last = &copy->next;
    return OK;
}

/* Streams and events are never given back to malloc, so that a use after their end is seen. */
int cuDriverGetVersion(int *v) { *v = 12040; return OK; }
int cuInit(unsigned f) { (void)f; return OK; }
int cuDeviceGetCount(int *n) { *n = 1; return OK; }
int cuDeviceGet(int *d, int i) { *d = 7; return i == 0 ? OK : INVALID_VALUE; }
int cuDeviceGetName(char *n, int len, int d) { (void)d; snprintf(n, len, "late driver"); return OK; }
int cuDeviceGetAttribute(int *v, int a, int d) {
    (void)d;
    switch (a) {
    case 75: *v = 9; return OK;  /* COMPUTE_CAPABILITY_MAJOR */
    case 76: *v = 0; return OK;  /* COMPUTE_CAPABILITY_MINOR */
    case 16: *v = 132; return OK; /* MULTIPROCESSOR_COUNT */
    case 115: *v = getenv("LATE_DRIVER_NO_POOLS") == NULL; return OK; /* MEMORY_POOLS_SUPPORTED */
    default: return INVALID_VALUE;
    }
}
int cuDevicePrimaryCtxRetain(void **c, int d) { (void)d; *c = &context; return OK; }
int cuCtxPushCurrent_v2(void *c) { if (c != &context) return INVALID_CONTEXT; depth++; return OK; }
int cuCtxPopCurrent_v2(void **c) { if (!depth) return INVALID_CONTEXT; depth--; *c = &context; return OK; }
int cuCtxGetCurrent(void **c) { *c = depth ? &context : NULL; return OK; }
int cuCtxSetCurrent(void *c) { if (c != &context || depth) return INVALID_CONTEXT; depth = 1; return OK; }
int cuCtxGetDevice(int *d) { *d = 7; return depth ? OK : INVALID_CONTEXT; }
static struct stream *streams[4096];
static int stream_count;
int cuCtxSynchronize(void) {
    if (!depth) return INVALID_CONTEXT;
    for (int i = 0; i < stream_count; i++) run_until(streams[i], NULL);
    return failed ? ILLEGAL_ADDRESS : OK;
}
int cuDeviceGetDefaultMemPool(void **p, int d) { *p = &context; return d == 7 ? OK : INVALID_VALUE; }
int cuMemPoolSetAttribute(void *p, int a, void *v) {
    return p == &context && a == 4 && *(unsigned long long *)v == ~0ull ? OK : INVALID_VALUE;
}
int cuMemPoolTrimTo(void *p, size_t n) { (void)n; return p == &context ? OK : INVALID_VALUE; }

static int allocate(ptr *at, size_t bytes) {
    if (!depth) return INVALID_CONTEXT;
    if (bytes > (1ull << 40)) return NO_MEMORY;
    struct block *b = malloc(sizeof *b);
    b->at = aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (!b->at) return NO_MEMORY;
    memset(b->at, 0xCD, bytes);
    b->bytes = bytes;
    b->freed = 0;
    b->next = blocks;
    blocks = b;
    *at = (ptr)b->at;
    return OK;
}
int cuMemAllocAsync(ptr *at, size_t bytes, struct stream *s) {
    return s->magic == STREAM ? allocate(at, bytes) : INVALID_HANDLE;
}
int cuMemAlloc_v2(ptr *at, size_t bytes) { return allocate(at, bytes); }
int cuMemFreeAsync(ptr at, struct stream *s) { return put(s, (struct op){.kind = FREE, .dst = (char *)at}); }
int cuMemFree_v2(ptr at) {
    int result = cuCtxSynchronize();
    if (result) return result;
    run(&(struct op){.kind = FREE, .dst = (char *)at});
    return OK;
}
static int set(ptr at, unsigned value, size_t width, size_t n, struct stream *s) {
    if (!find(at, n * width) || at % width) return INVALID_VALUE;
    return put(s, (struct op){.kind = SET, .dst = (char *)at, .bytes = n * width, .width = width, .value = value});
}
int cuMemsetD8Async(ptr at, unsigned char v, size_t n, struct stream *s) { return set(at, v, 1, n, s); }
int cuMemsetD16Async(ptr at, unsigned short v, size_t n, struct stream *s) { return set(at, v, 2, n, s); }
int cuMemsetD32Async(ptr at, unsigned v, size_t n, struct stream *s) { return set(at, v, 4, n, s); }
int cuMemcpyHtoDAsync_v2(ptr dst, const void *src, size_t bytes, struct stream *s) {
    if (!find(dst, bytes)) return INVALID_VALUE;
    return put(s, (struct op){.kind = COPY, .dst = (char *)dst, .src = src, .bytes = bytes});
}
int cuMemcpyDtoHAsync_v2(void *dst, ptr src, size_t bytes, struct stream *s) {
    if (!find(src, bytes)) return INVALID_VALUE;
    return put(s, (struct op){.kind = COPY, .dst = dst, .src = (char *)src, .bytes = bytes});
}

int cuStreamCreate(struct stream **s, unsigned flags) {
    if (!depth) return INVALID_CONTEXT;
    if (flags != 1 || stream_count == 4096) return INVALID_VALUE;
    *s = calloc(1, sizeof **s);
    (*s)->magic = STREAM;
    (*s)->last = &(*s)->first;
    streams[stream_count++] = *s;
    return OK;
}
int cuStreamDestroy_v2(struct stream *s) {
    if (s->magic != STREAM) return INVALID_HANDLE;
    s->magic = 0; /* its work goes on */
    return OK;
}
int cuStreamSynchronize(struct stream *s) {
    if (s->magic != STREAM) return INVALID_HANDLE;
    run_until(s, NULL);
    return failed ? ILLEGAL_ADDRESS : OK;
}
int cuStreamWaitEvent(struct stream *s, struct event *e, unsigned flags) {
    if (flags || e->magic != EVENT || !e->last) return INVALID_HANDLE;
    return put(s, (struct op){.kind = WAIT, .record = e->last});
}
int cuEventCreate(struct event **e, unsigned flags) {
    if (!depth) return INVALID_CONTEXT;
    if (flags != 2) return INVALID_VALUE;
    *e = calloc(1, sizeof **e);
    (*e)->magic = EVENT;
    return OK;
}
int cuEventRecord(struct event *e, struct stream *s) {
    if (e->magic != EVENT) return INVALID_HANDLE;
    e->last = calloc(1, sizeof *e->last);
    e->last->stream = s;
    return put(s, (struct op){.kind = RECORD, .record = e->last});
}
int cuEventQuery(struct event *e) { return e->last->done ? OK : NOT_READY; }
int cuEventDestroy_v2(struct event *e) { if (e->magic != EVENT) return INVALID_HANDLE; e->magic = 0; return OK; }

/* Kernels. Blocks of `shared` share positions, so many each; those of `turns` take several, and are told how many
 * there are behind the arguments. */
static const struct kernel { const char *name; int ptx_version; unsigned parts, turns; } kernels[] = {
    {"axpy__general", 80, 1, 0}, {"axpy__shared", 90, 4, 0}, {"axpy__paired", 90, 1, 0}, {"axpy__turns", 90, 1, 1},
};
static struct function { const struct kernel *kernel; unsigned most_shared; } functions[16];
static int function_count;

static int number(const char *variable, int otherwise) {
    const char *text = getenv(variable);
    return text ? atoi(text) : otherwise;
}
static void note(const char *what, const struct function *f, unsigned blocks, unsigned cluster) {
    const char *path = getenv("LATE_DRIVER_LOG");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file) return;
    fprintf(file, "%s %s %u %u\n", what, f->kernel->name, blocks, cluster);
    fclose(file);
}

int cuModuleLoadData(void **m, const void *image) {
    if (!depth) return INVALID_CONTEXT;
    if ((size_t)image % 8) return INVALID_VALUE;
    *m = (void *)image;
    return strstr(image, ".entry axpy__") ? OK : NO_BINARY;
}
int cuModuleGetFunction(struct function **f, void *m, const char *name) {
    char entry[64];
    snprintf(entry, sizeof entry, ".entry %s(", name);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels && function_count < 16; i++)
        if (!strcmp(kernels[i].name, name) && strstr(m, entry)) {
            *f = &functions[function_count++];
            **f = (struct function){&kernels[i], 48 << 10};
            return OK;
        }
    return NOT_FOUND;
}
int cuFuncGetAttribute(int *v, int a, struct function *f) {
    *v = a == 0 ? 128 : a == 5 ? f->kernel->ptx_version : -1;
    return *v < 0 ? INVALID_VALUE : OK;
}
int cuFuncSetAttribute(struct function *f, int a, int v) {
    if (a != 8 || v > 227 << 10) return INVALID_VALUE; /* MAX_DYNAMIC_SHARED_SIZE_BYTES */
    f->most_shared = v;
    return OK;
}

/* `CUlaunchConfig`, with `CUlaunchAttribute`s. */
struct attribute { int id; char pad[4]; unsigned value[16]; };
struct config {
    unsigned grid[3], block[3], shared;
    struct stream *stream;
    struct attribute *attributes;
    unsigned count;
};
/* The attribute with this number, or NULL. */
static const struct attribute *attribute(const struct config *c, int id) {
    for (unsigned i = 0; i < c->count; i++)
        if (c->attributes[i].id == id) return &c->attributes[i];
    return NULL;
}
/* Blocks of a cluster, or 0. */
static unsigned cluster_of(const struct config *c) {
    for (unsigned i = 0; i < c->count; i++)
        if (c->attributes[i].id != 4 && c->attributes[i].id != 6) return 0;
    const struct attribute *a = attribute(c, 4); /* CLUSTER_DIMENSION */
    if (!a) return 1;
    return a->value[1] == 1 && a->value[2] == 1 && c->grid[0] % a->value[0] == 0 ? a->value[0] : 0;
}
/* Whether the kernel may start before the previous one has ended. */
static int is_programmatic(const struct config *c) {
    const struct attribute *a = attribute(c, 6); /* PROGRAMMATIC_STREAM_SERIALIZATION */
    return a && a->value[0] == 1;
}
int cuOccupancyMaxActiveClusters(int *n, const struct function *f, const struct config *c) {
    unsigned cluster = cluster_of(c);
    if (!depth) return INVALID_CONTEXT;
    if (cluster < 2 || c->block[0] != 128 || c->shared > f->most_shared) return INVALID_VALUE;
    note("clusters", f, c->shared, cluster);
    *n = number("LATE_DRIVER_CLUSTERS", 66);
    return *n < 0 ? INVALID_CLUSTER_SIZE : OK;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, const struct function *f, int threads, size_t shared) {
    if (!depth) return INVALID_CONTEXT;
    if (threads != 128 || shared > f->most_shared) return INVALID_VALUE;
    note("blocks", f, shared, 1);
    *n = number("LATE_DRIVER_BLOCKS", 2);
    return OK;
}
int cuLaunchKernelEx(const struct config *c, const struct function *f, void **params, void **extra) {
    unsigned cluster = cluster_of(c), x = c->grid[0], parts = f->kernel->parts;
    if (!cluster || c->grid[1] != 1 || c->grid[2] != 1 || c->block[0] != 128 || c->block[1] != 1 || c->block[2] != 1
        || c->shared > f->most_shared || extra || (parts > 1 && cluster != parts))
        return INVALID_VALUE;
    if (cluster > 1 && (number("LATE_DRIVER_CLUSTERS", 66) < 1 || getenv("LATE_DRIVER_REFUSES"))) return INVALID_CLUSTER_SIZE;
    note(is_programmatic(c) ? "programmatic" : "launch", f, x, cluster);
    struct op op = {.kind = KERNEL, .positions = x / parts, .threads = c->block[0]};
    for (int i = 0; i < 7; i++) memcpy(&op.params[i], params[i], i == 6 ? 4 : 8);
    if (f->kernel->turns) {
        op.positions = 1;
        for (int i = 7; i < 10; i++) op.positions *= *(unsigned *)params[i];
    }
    return put(c->stream, op);
}
int cuLaunchKernel(const struct function *f, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, struct stream *s, void **params, void **extra) {
    struct config config = {{x, y, z}, {bx, by, bz}, shared, s, NULL, 0};
    return cuLaunchKernelEx(&config, f, params, extra);
}
int cuGetErrorName(int e, const char **s) {
    *s = e == INVALID_CLUSTER_SIZE ? "CUDA_ERROR_INVALID_CLUSTER_SIZE" : "LATE_DRIVER_ERROR";
    return OK;
}
int cuGetErrorString(int e, const char **s) { static char t[32]; snprintf(t, 32, "code %d", e); *s = t; return OK; }
