/* A stand-in for NCCL, for tests without several GPUs: the operations of a group are done by the host, with copies on the
 * streams, when the group ends. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUCCESS = 0, INVALID_ARGUMENT = 4, INVALID_USAGE = 5, INT32 = 2, FLOAT32 = 7, SUM = 0, MAX = 2, MOST = 8 };
struct group { int count; };
struct comm { struct group *group; int rank; };
struct call { const void *from; void *to; size_t count; int type, op, root; struct comm *comm; void *stream; };
static struct call calls[MOST];
static int called, depth;

static int driver(const char *name, void *a, void *b, size_t bytes, void *stream) {
    static void *library;
    if (!library) library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!strcmp(name, "cuStreamSynchronize")) return ((int (*)(void *))dlsym(library, name))(stream);
    return ((int (*)(void *, void *, size_t, void *))dlsym(library, name))(a, b, bytes, stream);
}

int ncclGetVersion(int *version) { *version = 23003; return SUCCESS; }
const char *ncclGetErrorString(int code) { return code == INVALID_USAGE ? "invalid usage" : "invalid argument"; }
int ncclCommInitAll(struct comm **comms, int count, const int *devices) {
    struct group *group = malloc(sizeof *group);
    group->count = count;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++)
            if (devices[i] == devices[j]) return INVALID_USAGE;
        comms[i] = malloc(sizeof **comms);
        *comms[i] = (struct comm){group, i};
    }
    return count <= MOST ? SUCCESS : INVALID_ARGUMENT;
}
int ncclCommDestroy(struct comm *comm) { free(comm); return SUCCESS; }
int ncclGroupStart(void) { depth++; called = 0; return SUCCESS; }

static int put(struct call call) {
    if (!depth || called == MOST || (call.type != INT32 && call.type != FLOAT32)) return INVALID_ARGUMENT;
    calls[called++] = call;
    return SUCCESS;
}
int ncclAllReduce(const void *from, void *to, size_t count, int type, int op, struct comm *comm, void *stream) {
    return op == SUM || op == MAX ? put((struct call){from, to, count, type, op, -1, comm, stream}) : INVALID_ARGUMENT;
}
int ncclBroadcast(const void *from, void *to, size_t count, int type, int root, struct comm *comm, void *stream) {
    return put((struct call){from, to, count, type, -1, root, comm, stream});
}

int ncclGroupEnd(void) {
    if (!depth--) return INVALID_USAGE;
    if (!called) return SUCCESS;
    size_t count = calls[0].count;
    char *all[MOST], *result = malloc(4 * count);
    if (called != calls[0].comm->group->count) return INVALID_USAGE;
    for (int i = 0; i < called; i++) {
        struct call *call = &calls[i];
        if (call->comm->rank != i || call->count != count) return INVALID_USAGE;
        all[i] = malloc(4 * count);
        if (driver("cuMemcpyDtoHAsync_v2", all[i], (void *)call->from, 4 * count, call->stream)
            || driver("cuStreamSynchronize", NULL, NULL, 0, call->stream))
            return INVALID_USAGE;
    }
    memcpy(result, all[calls[0].root < 0 ? 0 : calls[0].root], 4 * count);
    for (int i = 1; i < called && calls[0].root < 0; i++)
        for (size_t at = 0; at < count; at++) {
            float *x = (float *)result + at, y = ((float *)all[i])[at];
            int *n = (int *)result + at, m = ((int *)all[i])[at];
            if (calls[0].type == FLOAT32) *x = calls[0].op == SUM ? *x + y : *x > y ? *x : y;
            else *n = calls[0].op == SUM ? *n + m : *n > m ? *n : m;
        }
    /* The copies may run when this has returned, so what follows has to wait for the streams. */
    for (int i = 0; i < called; i++)
        if (driver("cuMemcpyHtoDAsync_v2", calls[i].to, result, 4 * count, calls[i].stream)) return INVALID_USAGE;
    return SUCCESS;
}
