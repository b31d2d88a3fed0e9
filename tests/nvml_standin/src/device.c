/* What one device says of itself. */
#include "standin.h"
#include <stdio.h>
#include <string.h>

typedef struct { unsigned long long total, free, used; } memory_v1_t;
typedef struct { unsigned version; unsigned long long total, reserved, free, used; } memory_v2_t;
typedef struct {
    char legacy[16];
    unsigned domain, bus, device, id, subsystem;
    char text[32];
} pci_t;
typedef struct { unsigned gpu, memory; } utilization_t;
typedef struct { unsigned version; int sensor, temperature; } temperature_t;
_Static_assert(sizeof(memory_v2_t) == 40, "layout of NVML's version 2");
_Static_assert(sizeof(pci_t) == 68, "layout of NVML's version 3");

EXPORT int nvmlDeviceGetIndex(handle_t handle, unsigned *index);
EXPORT int nvmlDeviceGetMinorNumber(handle_t handle, unsigned *minor);
EXPORT int nvmlDeviceGetName(handle_t handle, char *out, unsigned size);
EXPORT int nvmlDeviceGetUUID(handle_t handle, char *out, unsigned size);
EXPORT int nvmlDeviceGetPciInfo_v3(handle_t handle, pci_t *pci);
EXPORT int nvmlDeviceGetCudaComputeCapability(handle_t handle, int *major, int *minor);
EXPORT int nvmlDeviceGetMemoryInfo(handle_t handle, memory_v1_t *memory);
EXPORT int nvmlDeviceGetMemoryInfo_v2(handle_t handle, memory_v2_t *memory);
EXPORT int nvmlDeviceGetUtilizationRates(handle_t handle, utilization_t *rates);
EXPORT int nvmlDeviceGetTemperature(handle_t handle, int sensor, unsigned *temperature);
EXPORT int nvmlDeviceGetTemperatureV(handle_t handle, temperature_t *temperature);
EXPORT int nvmlDeviceGetPowerUsage(handle_t handle, unsigned *milliwatts);
EXPORT int nvmlDeviceGetEnforcedPowerLimit(handle_t handle, unsigned *milliwatts);
EXPORT int nvmlDeviceGetVirtualizationMode(handle_t handle, unsigned *mode);

static int number(unsigned *out, bool known, unsigned value) {
    if (!known) return NOT_SUPPORTED;
    *out = value;
    return SUCCESS;
}

int nvmlDeviceGetIndex(handle_t handle, unsigned *index) {
    ENTER_DEVICE(handle);
    return number(index, true, (unsigned)(handle->mig >= 0 ? handle->mig : handle->gpu));
}

int nvmlDeviceGetMinorNumber(handle_t handle, unsigned *minor) {
    ENTER_DEVICE(handle);
    return number(minor, handle->mig < 0, (unsigned)handle->gpu);
}

int nvmlDeviceGetName(handle_t handle, char *out, unsigned size) {
    ENTER_DEVICE(handle);
    return copy_text(out, size, mig_of(handle) ? mig_of(handle)->name : gpu_of(handle)->name);
}

int nvmlDeviceGetUUID(handle_t handle, char *out, unsigned size) {
    ENTER_DEVICE(handle);
    return copy_text(out, size, mig_of(handle) ? mig_of(handle)->uuid : gpu_of(handle)->uuid);
}

int nvmlDeviceGetPciInfo_v3(handle_t handle, pci_t *pci) {
    ENTER_DEVICE(handle);
    unsigned function = 0;
    memset(pci, 0, sizeof *pci);
    if (sscanf(gpu_of(handle)->pci, "%x:%x:%x.%x", &pci->domain, &pci->bus, &pci->device, &function) < 3)
        pci->bus = (unsigned)handle->gpu + 1;
    snprintf(pci->text, sizeof pci->text, "%08X:%02X:%02X.%X", pci->domain, pci->bus & 0xFF,
             pci->device & 0xFF, function & 0xF);
    snprintf(pci->legacy, sizeof pci->legacy, "%04X:%02X:%02X.%X", pci->domain & 0xFFFF,
             pci->bus & 0xFF, pci->device & 0xFF, function & 0xF);
    return SUCCESS;
}

int nvmlDeviceGetCudaComputeCapability(handle_t handle, int *major, int *minor) {
    ENTER_DEVICE(handle);
    *major = 9;
    *minor = 0;
    return SUCCESS;
}

/* Version 1 has the driver's reserve in what is used. */
int nvmlDeviceGetMemoryInfo(handle_t handle, memory_v1_t *memory) {
    ENTER_DEVICE(handle);
    gpu_t *gpu = gpu_of(handle);
    mig_t *mig = mig_of(handle);
    if (mig ? !mig->has_memory : !gpu->has_memory) return NOT_SUPPORTED;
    memory->total = mig ? mig->total : gpu->total;
    memory->used = mig ? mig->used + mig->reserved : gpu->used + gpu->reserved;
    memory->free = memory->total - memory->used;
    return SUCCESS;
}

#ifndef OMIT_MEMORY_V2
int nvmlDeviceGetMemoryInfo_v2(handle_t handle, memory_v2_t *memory) {
    ENTER_DEVICE(handle);
    gpu_t *gpu = gpu_of(handle);
    mig_t *mig = mig_of(handle);
    if (memory->version != (sizeof *memory | 2u << 24)) return VERSION_MISMATCH;
    if (mig ? !mig->has_memory : !gpu->has_memory) return NOT_SUPPORTED;
    memory->total = mig ? mig->total : gpu->total;
    memory->reserved = mig ? mig->reserved : gpu->reserved;
    memory->used = mig ? mig->used : gpu->used;
    memory->free = memory->total - memory->reserved - memory->used;
    return SUCCESS;
}
#endif

int nvmlDeviceGetUtilizationRates(handle_t handle, utilization_t *rates) {
    ENTER_DEVICE(handle);
    if (handle->mig >= 0 || !gpu_of(handle)->has_util) return NOT_SUPPORTED;
    *rates = (utilization_t){gpu_of(handle)->gpu_util, gpu_of(handle)->memory_util};
    return SUCCESS;
}

int nvmlDeviceGetTemperature(handle_t handle, int sensor, unsigned *temperature) {
    ENTER_DEVICE(handle);
    if (sensor) return INVALID_ARGUMENT;
    return number(temperature, gpu_of(handle)->has_temperature, gpu_of(handle)->temperature);
}

int nvmlDeviceGetTemperatureV(handle_t handle, temperature_t *temperature) {
    ENTER_DEVICE(handle);
    if (!gpu_of(handle)->has_temperature) return NOT_SUPPORTED;
    temperature->temperature = (int)gpu_of(handle)->temperature;
    return SUCCESS;
}

int nvmlDeviceGetPowerUsage(handle_t handle, unsigned *milliwatts) {
    ENTER_DEVICE(handle);
    return number(milliwatts, gpu_of(handle)->has_power, gpu_of(handle)->power_mw);
}

int nvmlDeviceGetEnforcedPowerLimit(handle_t handle, unsigned *milliwatts) {
    ENTER_DEVICE(handle);
    return number(milliwatts, gpu_of(handle)->has_power, 350000);
}

int nvmlDeviceGetVirtualizationMode(handle_t handle, unsigned *mode) {
    ENTER_DEVICE(handle);
    return number(mode, true, gpu_of(handle)->virtualization);
}
