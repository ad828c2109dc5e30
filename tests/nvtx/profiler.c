/* A profiler's library: it writes what happens in ranges to the file that PROFILER_LOG names. The declarations are those
 * of NVIDIA's nvtx3/nvtxDetail/nvtxTypes.h and nvtx3/nvToolsExt.h. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ETID_CALLBACKS = 1, ETID_VERSIONINFO = 3, MODULE_CORE = 1, MODULE_CORE2 = 5, MODULES = 7 };
enum { RANGE_PUSH = 4, RANGE_POP = 5, DOMAIN_CREATE = 12, FUNCTIONS = 16 };

typedef void (*function)(void);
struct callbacks { size_t size; int (*functions)(int module, function ***table, unsigned *count); };
struct version { size_t size; uint32_t version, reserved; void (*set)(uint32_t); };
struct attributes {
    uint16_t version, size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    union { uint64_t u; double d; } payload;
    int32_t message_type;
    const char *message;
};

static FILE *file;
static const char *domain;
static int depth;

static void *create(const char *name) { domain = strdup(name); return &domain; }
static int push(void *in, const struct attributes *a) {
    if (in != &domain || a->version != 3 || a->size != sizeof *a || a->message_type != 1 || a->color_type || a->payload_type)
        abort();
    fprintf(file, "%s %d %s\n", domain, depth, a->message);
    fflush(file);
    return depth++;
}
static int pop(void *in) {
    if (in != &domain || !depth) abort();
    depth--;
    fprintf(file, "%s %d end\n", domain, depth);
    fflush(file);
    return depth;
}

int InitializeInjectionNvtx2(const void *(*table)(uint32_t)) {
    const struct callbacks *callbacks = table(ETID_CALLBACKS);
    const struct version *version = table(ETID_VERSIONINFO);
    function **functions;
    unsigned count;
    if (!callbacks || callbacks->size != sizeof *callbacks || !version || version->version != 3 || table(9)) return 0;
    version->set(3);
    /* Profilers ask for all modules, and write all functions. */
    for (int module = MODULES; module--;) {
        if (callbacks->functions(module, &functions, &count) != (module > 0)) return 0;
        for (unsigned id = 1; module && id < count; id++) *functions[id] = (function)abort;
        if (module && (functions[0] || functions[count])) return 0;
    }
    if (!callbacks->functions(MODULE_CORE2, &functions, &count) || count != FUNCTIONS) return 0;
    *functions[DOMAIN_CREATE] = (function)create;
    *functions[RANGE_PUSH] = (function)push;
    *functions[RANGE_POP] = (function)pop;
    file = fopen(getenv("PROFILER_LOG"), "w");
    return file != NULL;
}
