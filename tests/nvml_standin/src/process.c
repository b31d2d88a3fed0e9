/* Process lists, in the layouts that drivers have written so far. */
#include "standin.h"
#include <string.h>

typedef struct { unsigned pid; unsigned long long used; unsigned gi, ci; } entry_t;
_Static_assert(sizeof(entry_t) == 24, "layout of NVML's versions 2 and 3");

/* Drivers that are old enough have no list at all. */
#define OFTEN_UNUSED __attribute__((unused))

#define DECLARE(name) EXPORT int name(handle_t handle, unsigned *count, entry_t *entries);
#ifndef OMIT_V3
DECLARE(nvmlDeviceGetComputeRunningProcesses_v3)
DECLARE(nvmlDeviceGetGraphicsRunningProcesses_v3)
DECLARE(nvmlDeviceGetMPSComputeRunningProcesses_v3)
#endif
#ifndef OMIT_V2
DECLARE(nvmlDeviceGetComputeRunningProcesses_v2)
DECLARE(nvmlDeviceGetGraphicsRunningProcesses_v2)
DECLARE(nvmlDeviceGetMPSComputeRunningProcesses_v2)
#endif
EXPORT int nvmlDeviceGetRunningProcessDetailList(handle_t handle, void *list);

static bool is_listed(const process_t *process, const mig_t *mig, char list) {
    return process->list == list && (!mig || (process->gi == mig->gi && process->ci == mig->ci));
}

/* Write the list with entries STRIDE bytes apart: what does not fit the caller's array is cut off,
   where the driver whose mistake this is would write on. */
OFTEN_UNUSED static int write_list(handle_t handle, char list, unsigned *count, entry_t *entries,
                                   int stride) {
    static __thread char image[MAX_PROCESSES * 40];
    gpu_t *gpu = gpu_of(handle);
    unsigned wanted = 0, capacity = *count;
    memset(image, 0, sizeof image);
    for (int i = 0; i < gpu->process_count; i++) {
        const process_t *p = &gpu->processes[i];
        if (!is_listed(p, mig_of(handle), list)) continue;
        entry_t entry = {p->pid, p->bytes, p->gi, p->ci};
        memcpy(image + (size_t)stride * wanted, &entry, (size_t)(stride < 24 ? stride : 24));
        wanted++;
    }
    *count = wanted;
    if (wanted > capacity || (wanted && !entries)) return INSUFFICIENT_SIZE;
    size_t size = (size_t)stride * wanted, space = sizeof *entries * capacity;
    if (wanted) memcpy(entries, image, size < space ? size : space);
    return SUCCESS;
}

OFTEN_UNUSED static int safe_stride(void) {
    return scenario.v3_stride >= 16 && scenario.v3_stride <= 40 ? scenario.v3_stride : 24;
}

#define DEFINE(name, list, stride)                                      \
    int name(handle_t handle, unsigned *count, entry_t *entries) {      \
        ENTER_DEVICE(handle);                                           \
        if (!count) return INVALID_ARGUMENT;                            \
        return write_list(handle, list, count, entries, stride);        \
    }
#ifndef OMIT_V3
DEFINE(nvmlDeviceGetComputeRunningProcesses_v3, 'C', safe_stride())
DEFINE(nvmlDeviceGetGraphicsRunningProcesses_v3, 'G', safe_stride())
DEFINE(nvmlDeviceGetMPSComputeRunningProcesses_v3, 'M', safe_stride())
#endif
#ifndef OMIT_V2
DEFINE(nvmlDeviceGetComputeRunningProcesses_v2, 'C', 24)
DEFINE(nvmlDeviceGetGraphicsRunningProcesses_v2, 'G', 24)
DEFINE(nvmlDeviceGetMPSComputeRunningProcesses_v2, 'M', 24)
#endif

int nvmlDeviceGetRunningProcessDetailList(handle_t handle, void *list) {
    ENTER_DEVICE(handle);
    (void)list;
    return NOT_SUPPORTED;
}
