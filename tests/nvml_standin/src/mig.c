/* Multi-instance GPUs, and the calls that other monitors make and nothing here answers. */
#include "standin.h"
#include <string.h>

EXPORT int nvmlDeviceGetMigMode(handle_t handle, unsigned *now, unsigned *pending);
EXPORT int nvmlDeviceGetMaxMigDeviceCount(handle_t handle, unsigned *count);
EXPORT int nvmlDeviceGetMigDeviceHandleByIndex(handle_t handle, unsigned slot, handle_t *mig);
EXPORT int nvmlDeviceIsMigDeviceHandle(handle_t handle, unsigned *is_mig);
EXPORT int nvmlDeviceGetGpuInstanceId(handle_t handle, unsigned *id);
EXPORT int nvmlDeviceGetComputeInstanceId(handle_t handle, unsigned *id);
EXPORT int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(handle_t handle, handle_t *gpu);
EXPORT int nvmlDeviceGetAttributes_v2(handle_t handle, void *attributes);

int nvmlDeviceGetMigMode(handle_t handle, unsigned *now, unsigned *pending) {
    ENTER_DEVICE(handle);
    if (!gpu_of(handle)->has_mig) return NOT_SUPPORTED;
    *now = gpu_of(handle)->mig_now;
    *pending = gpu_of(handle)->mig_pending;
    return SUCCESS;
}

int nvmlDeviceGetMaxMigDeviceCount(handle_t handle, unsigned *count) {
    ENTER_DEVICE(handle);
    *count = gpu_of(handle)->has_mig ? MAX_MIGS : 0;
    return SUCCESS;
}

int nvmlDeviceGetMigDeviceHandleByIndex(handle_t handle, unsigned slot, handle_t *mig) {
    ENTER_DEVICE(handle);
    if (slot >= MAX_MIGS) return INVALID_ARGUMENT;
    if (!gpu_of(handle)->migs[slot].present) return NOT_FOUND;
    *mig = handle_of(handle->gpu, (int)slot);
    return SUCCESS;
}

int nvmlDeviceIsMigDeviceHandle(handle_t handle, unsigned *is_mig) {
    ENTER_DEVICE(handle);
    *is_mig = handle->mig >= 0;
    return SUCCESS;
}

int nvmlDeviceGetGpuInstanceId(handle_t handle, unsigned *id) {
    ENTER_DEVICE(handle);
    if (!mig_of(handle)) return INVALID_ARGUMENT;
    *id = mig_of(handle)->gi;
    return SUCCESS;
}

int nvmlDeviceGetComputeInstanceId(handle_t handle, unsigned *id) {
    ENTER_DEVICE(handle);
    if (!mig_of(handle)) return INVALID_ARGUMENT;
    *id = mig_of(handle)->ci;
    return SUCCESS;
}

int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(handle_t handle, handle_t *gpu) {
    ENTER_DEVICE(handle);
    *gpu = handle_of(handle->gpu, WHOLE_GPU);
    return SUCCESS;
}

int nvmlDeviceGetAttributes_v2(handle_t handle, void *attributes) {
    ENTER_DEVICE(handle);
    (void)attributes;
    return NOT_SUPPORTED;
}

/* C lets a caller pass more arguments than these take. */
#define UNSUPPORTED(name)               \
    EXPORT int name(handle_t handle);   \
    int name(handle_t handle) {         \
        ENTER_DEVICE(handle);           \
        return NOT_SUPPORTED;           \
    }
UNSUPPORTED(nvmlDeviceGetFanSpeed)
UNSUPPORTED(nvmlDeviceGetEncoderUtilization)
UNSUPPORTED(nvmlDeviceGetDecoderUtilization)
UNSUPPORTED(nvmlDeviceGetPersistenceMode)
UNSUPPORTED(nvmlDeviceGetDisplayMode)
UNSUPPORTED(nvmlDeviceGetDisplayActive)
UNSUPPORTED(nvmlDeviceGetPerformanceState)
UNSUPPORTED(nvmlDeviceGetClockInfo)
UNSUPPORTED(nvmlDeviceGetMaxClockInfo)
UNSUPPORTED(nvmlDeviceGetBAR1MemoryInfo)
UNSUPPORTED(nvmlDeviceGetComputeMode)
UNSUPPORTED(nvmlDeviceGetPowerManagementLimit)
UNSUPPORTED(nvmlDeviceGetPcieThroughput)
UNSUPPORTED(nvmlDeviceGetCurrPcieLinkGeneration)
UNSUPPORTED(nvmlDeviceGetSerial)
UNSUPPORTED(nvmlDeviceGetBrand)
UNSUPPORTED(nvmlDeviceGetTotalEccErrors)
UNSUPPORTED(nvmlDeviceGetProcessUtilization)
