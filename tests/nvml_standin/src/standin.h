/* A stand-in for NVIDIA's management library, steered by a scenario file. For tests; it knows no GPU. */
#ifndef STANDIN_H
#define STANDIN_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#define EXPORT __attribute__((visibility("default")))

enum {
    SUCCESS = 0, UNINITIALIZED = 1, INVALID_ARGUMENT = 2, NOT_SUPPORTED = 3, NO_PERMISSION = 4,
    NOT_FOUND = 6, INSUFFICIENT_SIZE = 7, GPU_IS_LOST = 15, VERSION_MISMATCH = 25, UNKNOWN = 999,
    CRASH = -1
};
enum { MAX_GPUS = 16, MAX_MIGS = 8, MAX_PROCESSES = 1024, MAX_RULES = 64, TEXT = 96 };
enum { WHOLE_GPU = -1, NO_DEVICE = -1, ANY = -2 };

typedef struct { int gpu, mig; } device_t;          /* mig is WHOLE_GPU for the GPU itself */
typedef device_t *handle_t;

typedef struct {
    char list;                                      /* C, G or M */
    unsigned pid;
    unsigned long long bytes;
    unsigned gi, ci;
} process_t;

typedef struct {
    bool present, has_memory;
    unsigned gi, ci;
    unsigned long long total, reserved, used;
    char uuid[TEXT], name[TEXT];
} mig_t;

typedef struct {
    char name[TEXT], uuid[TEXT], pci[TEXT];
    bool has_memory, has_util, has_temperature, has_power, has_mig;
    unsigned long long total, reserved, used;
    unsigned gpu_util, memory_util, temperature, power_mw, mig_now, mig_pending, virtualization;
    mig_t migs[MAX_MIGS];
    int process_count;
    process_t processes[MAX_PROCESSES];
} gpu_t;

typedef struct {
    char symbol[TEXT];
    device_t device;
    int value;                                      /* error number, or microseconds */
    int times;                                      /* how often it still happens; -1 for ever */
} rule_t;

typedef struct {
    char driver[TEXT];
    int cuda, v3_stride, gpu_count, fault_count, delay_count, procname_count;
    bool serialize, fork_safe;
    rule_t faults[MAX_RULES], delays[MAX_RULES];
    struct { unsigned pid; char name[TEXT]; } procnames[MAX_RULES];
    gpu_t gpus[MAX_GPUS];
} scenario_t;

extern scenario_t scenario;

/* Path of a file: an environment variable's, else NAME beside this library. */
void standin_path(char *out, size_t size, const char *variable, const char *name);
/* Read the scenario again if the file was replaced. */
void standin_reload(void);

/* Every exported function begins with one of these: it logs the call, waits as told, and returns
   the error that the scenario or a wrong handle asks for. */
int enter(const char *symbol, int gpu, int mig);
int enter_device(const char *symbol, handle_t handle);
int enter_uninitialized(const char *symbol);
void mark_started(void);
bool mark_stopped(void);

handle_t handle_of(int gpu, int mig);
gpu_t *gpu_of(handle_t handle);
mig_t *mig_of(handle_t handle);
int copy_text(char *out, unsigned size, const char *text);

#define CHECK(entered) do { int code_ = (entered); if (code_) return code_; } while (0)
#define ENTER() CHECK(enter(__func__, NO_DEVICE, NO_DEVICE))
#define ENTER_DEVICE(handle) CHECK(enter_device(__func__, handle))

#endif
