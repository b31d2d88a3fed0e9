/* Start, stop, versions, finding devices. */
#include "standin.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

EXPORT int nvmlInitWithFlags(unsigned flags);
EXPORT int nvmlInit_v2(void);
EXPORT int nvmlInit(void);
EXPORT int nvmlShutdown(void);
EXPORT const char *nvmlErrorString(int code);
EXPORT int nvmlSystemGetDriverVersion(char *out, unsigned size);
EXPORT int nvmlSystemGetNVMLVersion(char *out, unsigned size);
EXPORT int nvmlSystemGetCudaDriverVersion(int *version);
EXPORT int nvmlSystemGetCudaDriverVersion_v2(int *version);
EXPORT int nvmlSystemGetProcessName(unsigned pid, char *out, unsigned size);
EXPORT int nvmlDeviceGetCount_v2(unsigned *count);
EXPORT int nvmlDeviceGetHandleByIndex_v2(unsigned index, handle_t *handle);
EXPORT int nvmlDeviceGetHandleByUUID(const char *uuid, handle_t *handle);
EXPORT int nvmlDeviceGetHandleByPciBusId_v2(const char *pci, handle_t *handle);

static int start(const char *symbol) {
    CHECK(enter_uninitialized(symbol));
    mark_started();
    return SUCCESS;
}

int nvmlInitWithFlags(unsigned flags) { (void)flags; return start(__func__); }
int nvmlInit_v2(void) { return start(__func__); }
int nvmlInit(void) { return start(__func__); }

int nvmlShutdown(void) {
    ENTER();
    return mark_stopped() ? SUCCESS : UNINITIALIZED;
}

const char *nvmlErrorString(int code) {
    switch (code) {
    case SUCCESS: return "Success";
    case UNINITIALIZED: return "Uninitialized";
    case NOT_SUPPORTED: return "Not Supported";
    case NO_PERMISSION: return "Insufficient Permissions";
    case 9: return "Driver Not Loaded";
    case GPU_IS_LOST: return "GPU is lost";
    case 18: return "Driver/library version mismatch";
    default: return "Unknown Error";
    }
}

int nvmlSystemGetDriverVersion(char *out, unsigned size) {
    ENTER();
    return copy_text(out, size, scenario.driver);
}

int nvmlSystemGetNVMLVersion(char *out, unsigned size) {
    ENTER();
    return copy_text(out, size, "13.580.95.05");
}

static int cuda_version(int *version) {
    *version = scenario.cuda;
    return SUCCESS;
}

int nvmlSystemGetCudaDriverVersion(int *version) { ENTER(); return cuda_version(version); }
int nvmlSystemGetCudaDriverVersion_v2(int *version) { ENTER(); return cuda_version(version); }

int nvmlSystemGetProcessName(unsigned pid, char *out, unsigned size) {
    ENTER();
    for (int i = 0; i < scenario.procname_count; i++)
        if (scenario.procnames[i].pid == pid) return copy_text(out, size, scenario.procnames[i].name);
    return NOT_FOUND;
}

int nvmlDeviceGetCount_v2(unsigned *count) {
    ENTER();
    *count = (unsigned)scenario.gpu_count;
    return SUCCESS;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, handle_t *handle) {
    CHECK(enter(__func__, (int)index, WHOLE_GPU));
    if (index >= (unsigned)scenario.gpu_count) return INVALID_ARGUMENT;
    *handle = handle_of((int)index, WHOLE_GPU);
    return SUCCESS;
}

int nvmlDeviceGetHandleByUUID(const char *uuid, handle_t *handle) {
    ENTER();
    for (int gpu = 0; gpu < scenario.gpu_count; gpu++) {
        if (!strcmp(scenario.gpus[gpu].uuid, uuid)) {
            *handle = handle_of(gpu, WHOLE_GPU);
            return SUCCESS;
        }
        for (int mig = 0; mig < MAX_MIGS; mig++)
            if (scenario.gpus[gpu].migs[mig].present && !strcmp(scenario.gpus[gpu].migs[mig].uuid, uuid)) {
                *handle = handle_of(gpu, mig);
                return SUCCESS;
            }
    }
    return NOT_FOUND;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *pci, handle_t *handle) {
    ENTER();
    for (int gpu = 0; gpu < scenario.gpu_count; gpu++)
        if (!strcasecmp(scenario.gpus[gpu].pci, pci)) {
            *handle = handle_of(gpu, WHOLE_GPU);
            return SUCCESS;
        }
    return NOT_FOUND;
}
