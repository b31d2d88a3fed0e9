/* What every call has in common: the log, injected delays and faults, the start, handles. */
#define _GNU_SOURCE
#include "standin.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t state = PTHREAD_MUTEX_INITIALIZER;   /* scenario and start counter */
static pthread_mutex_t driver = PTHREAD_MUTEX_INITIALIZER;  /* the driver's one lock */
static device_t devices[MAX_GPUS][MAX_MIGS + 1];
static int starts;
static pid_t started_by;

static void write_log(const char *symbol, int gpu, int mig, int code) {
    char path[PATH_MAX], line[256], device[32] = "-";
    struct timespec now;
    standin_path(path, sizeof path, "FAKE_NVML_LOG", "calls.log");
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (gpu >= 0) snprintf(device, sizeof device, mig >= 0 ? "%d.%d" : "%d", gpu, mig);
    int length = snprintf(line, sizeof line, "%lld.%06ld %d %ld %s %s %d\n", (long long)now.tv_sec,
                          now.tv_nsec / 1000, getpid(), syscall(SYS_gettid), symbol, device, code);
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0) return;
    if (write(file, line, (size_t)length) < 0) { /* a full disk must not change what is tested */ }
    close(file);
}

static rule_t *find(rule_t *rules, int count, const char *symbol, int gpu, int mig) {
    for (int i = 0; i < count; i++) {
        rule_t *rule = &rules[i];
        bool device = rule->device.gpu == ANY || (rule->device.gpu == gpu && rule->device.mig == mig);
        if (device && rule->times && (!strcmp(rule->symbol, "*") || !strcmp(rule->symbol, symbol)))
            return rule;
    }
    return NULL;
}

static int find_delay(const char *symbol, int gpu, int mig) {
    pthread_mutex_lock(&state);
    standin_reload();
    rule_t *rule = find(scenario.delays, scenario.delay_count, symbol, gpu, mig);
    int wanted = rule ? rule->value : 0;
    pthread_mutex_unlock(&state);
    return wanted;
}

/* Wait as long as the scenario says; the wait ends early when the line goes away. */
static void delay(const char *symbol, int gpu, int mig) {
    enum { SLICE_US = 10000 };
    for (int waited = 0, left; (left = find_delay(symbol, gpu, mig) - waited) > 0;) {
        int slice = left < SLICE_US ? left : SLICE_US;
        struct timespec pause = {0, slice * 1000L};
        nanosleep(&pause, NULL);
        waited += slice;
    }
}

static int call(const char *symbol, int gpu, int mig, bool needs_start) {
    pthread_mutex_lock(&state);
    standin_reload();
    rule_t *fault = find(scenario.faults, scenario.fault_count, symbol, gpu, mig);
    int code = fault ? fault->value : SUCCESS;
    if (fault && fault->times > 0) fault->times--;
    bool foreign = !scenario.fork_safe && started_by != getpid();
    if (!code && needs_start && (!starts || foreign)) code = UNINITIALIZED;
    write_log(symbol, gpu, mig, code);
    bool serialize = scenario.serialize;
    pthread_mutex_unlock(&state);
    if (serialize) pthread_mutex_lock(&driver);
    delay(symbol, gpu, mig);
    if (serialize) pthread_mutex_unlock(&driver);
    if (code == CRASH) raise(SIGSEGV);
    return code;
}

int enter(const char *symbol, int gpu, int mig) { return call(symbol, gpu, mig, true); }

int enter_uninitialized(const char *symbol) { return call(symbol, NO_DEVICE, NO_DEVICE, false); }

int enter_device(const char *symbol, handle_t handle) {
    uintptr_t offset = (uintptr_t)handle - (uintptr_t)devices;
    if (offset >= sizeof devices || offset % sizeof(device_t)) return INVALID_ARGUMENT;
    CHECK(enter(symbol, handle->gpu, handle->mig));
    if (handle->gpu >= scenario.gpu_count) return GPU_IS_LOST;
    if (handle->mig >= 0 && !mig_of(handle)->present) return INVALID_ARGUMENT;
    return SUCCESS;
}

void mark_started(void) {
    pthread_mutex_lock(&state);
    starts = started_by == getpid() ? starts + 1 : 1;
    started_by = getpid();
    pthread_mutex_unlock(&state);
}

bool mark_stopped(void) {
    pthread_mutex_lock(&state);
    bool running = starts > 0;
    if (running) starts--;
    pthread_mutex_unlock(&state);
    return running;
}

handle_t handle_of(int gpu, int mig) {
    handle_t handle = &devices[gpu][mig + 1];
    *handle = (device_t){gpu, mig};
    return handle;
}

gpu_t *gpu_of(handle_t handle) { return &scenario.gpus[handle->gpu]; }

mig_t *mig_of(handle_t handle) {
    return handle->mig >= 0 ? &scenario.gpus[handle->gpu].migs[handle->mig] : NULL;
}

int copy_text(char *out, unsigned size, const char *text) {
    if (!out || strlen(text) >= size) return INSUFFICIENT_SIZE;
    strcpy(out, text);
    return SUCCESS;
}
