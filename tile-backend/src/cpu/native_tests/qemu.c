// Runs native code: reads the scratch bytes, the grid, and the number of arguments with a kind and a number each (0: the bits
// of a number, 1: the length of a buffer), then the buffers. Writes what the code returned, and the buffers.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct launch {
    uint32_t grid[3];
    uint32_t reserved;
    const uint64_t *args;
    const uint8_t *cancel;
};

extern uint64_t tile_kernel_native(const struct launch *, uint8_t *, uint64_t, uint64_t);

static void get(void *to, size_t bytes) {
    if (fread(to, 1, bytes, stdin) != bytes) {
        exit(2);
    }
}

static uint64_t number(void) {
    uint64_t value;
    get(&value, sizeof value);
    return value;
}

static void *memory(size_t bytes) {
    void *memory = aligned_alloc(64, (bytes + 127) / 64 * 64);
    if (!memory) {
        exit(3);
    }
    return memory;
}

int main(void) {
    uint64_t scratch_bytes = number();
    struct launch launch = {0};
    uint64_t blocks = 1;
    for (int axis = 0; axis < 3; axis++) {
        launch.grid[axis] = (uint32_t)number();
        blocks *= launch.grid[axis];
    }
    uint64_t count = number();
    uint64_t *words = memory(16 * count);
    uint64_t *lengths = memory(8 * count);
    uint8_t **buffers = memory(8 * count);
    uint64_t word = 0, buffer = 0;
    for (uint64_t arg = 0; arg < count; arg++) {
        uint64_t kind = number(), value = number();
        if (kind == 0) {
            words[word++] = value;
            continue;
        }
        buffers[buffer] = memory(value);
        lengths[buffer] = value;
        words[word++] = (uint64_t)buffers[buffer++];
        words[word++] = value;
    }
    for (uint64_t index = 0; index < buffer; index++) {
        get(buffers[index], lengths[index]);
    }
    uint8_t cancel = 0;
    launch.args = words;
    launch.cancel = &cancel;
    uint8_t *scratch = memory(scratch_bytes);
    memset(scratch, 0xa5, scratch_bytes);
    uint64_t stopped = tile_kernel_native(&launch, scratch, 0, blocks);
    fwrite(&stopped, sizeof stopped, 1, stdout);
    for (uint64_t index = 0; index < buffer; index++) {
        fwrite(buffers[index], 1, lengths[index], stdout);
    }
    return fflush(stdout) ? 4 : 0;
}
