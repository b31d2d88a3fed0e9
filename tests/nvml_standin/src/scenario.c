/* Reads the scenario: plain text, one fact a line. */
#define _GNU_SOURCE
#include "standin.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

scenario_t scenario;
static scenario_t next;
static struct stat seen;

void standin_path(char *out, size_t size, const char *variable, const char *name) {
    const char *given = getenv(variable);
    Dl_info self;
    if (given && *given) {
        snprintf(out, size, "%s", given);
    } else if (dladdr((void *)standin_path, &self) && strrchr(self.dli_fname, '/')) {
        int folder = (int)(strrchr(self.dli_fname, '/') - self.dli_fname);
        snprintf(out, size, "%.*s/%s", folder, self.dli_fname, name);
    } else {
        snprintf(out, size, "%s", name);
    }
}

static void set_text(char *out, const char *text) { snprintf(out, TEXT, "%s", text); }

static device_t parse_device(const char *text) {
    device_t device = {ANY, ANY};
    if (*text == '*') return device;
    device.mig = WHOLE_GPU;
    sscanf(text, "%d.%d", &device.gpu, &device.mig);
    return device;
}

static void parse_rule(const char *rest, rule_t *rules, int *count) {
    char symbol[TEXT] = "*", device[TEXT] = "*", value[TEXT] = "0";
    rule_t rule = {.times = -1};
    if (*count >= MAX_RULES) return;
    if (sscanf(rest, "%95s %95s %95s %d", symbol, device, value, &rule.times) < 3) return;
    set_text(rule.symbol, symbol);
    rule.device = parse_device(device);
    rule.value = strcmp(value, "crash") ? atoi(value) : CRASH;
    rules[(*count)++] = rule;
}

static void parse_process(const char *rest, gpu_t *gpu) {
    char bytes[TEXT] = "na";
    process_t p = {.gi = UINT_MAX, .ci = UINT_MAX};
    if (gpu->process_count >= MAX_PROCESSES) return;
    if (sscanf(rest, "%c %u %95s %u %u", &p.list, &p.pid, bytes, &p.gi, &p.ci) < 3) return;
    p.bytes = strcmp(bytes, "na") ? strtoull(bytes, NULL, 10) : ULLONG_MAX;
    gpu->processes[gpu->process_count++] = p;
}

static void parse_mig(const char *rest, gpu_t *gpu) {
    unsigned slot = 0;
    int used = 0;
    mig_t mig = {.present = true, .has_memory = true};
    int got = sscanf(rest, "%u %u %u %llu %llu %llu %95s %n", &slot, &mig.gi, &mig.ci, &mig.total,
                     &mig.reserved, &mig.used, mig.uuid, &used);
    if (got < 7 || slot >= MAX_MIGS) return;
    set_text(mig.name, rest + used);
    gpu->migs[slot] = mig;
}

static void parse_gpu(const char *word, const char *rest, gpu_t *gpu) {
    bool none = !strcmp(rest, "none");
    if (!strcmp(word, "name")) set_text(gpu->name, rest);
    else if (!strcmp(word, "uuid")) set_text(gpu->uuid, rest);
    else if (!strcmp(word, "pci")) set_text(gpu->pci, rest);
    else if (!strcmp(word, "mem"))
        gpu->has_memory = !none
            && sscanf(rest, "%llu %llu %llu", &gpu->total, &gpu->reserved, &gpu->used) == 3;
    else if (!strcmp(word, "util"))
        gpu->has_util = !none && sscanf(rest, "%u %u", &gpu->gpu_util, &gpu->memory_util) == 2;
    else if (!strcmp(word, "temperature"))
        gpu->has_temperature = !none && sscanf(rest, "%u", &gpu->temperature) == 1;
    else if (!strcmp(word, "power_mw"))
        gpu->has_power = !none && sscanf(rest, "%u", &gpu->power_mw) == 1;
    else if (!strcmp(word, "mig"))
        gpu->has_mig = sscanf(rest, "%u %u", &gpu->mig_now, &gpu->mig_pending) == 2;
    else if (!strcmp(word, "virtualization")) sscanf(rest, "%u", &gpu->virtualization);
    else if (!strcmp(word, "migdev")) parse_mig(rest, gpu);
    else if (!strcmp(word, "proc")) parse_process(rest, gpu);
}

static void parse_line(const char *word, const char *rest) {
    if (!strcmp(word, "gpu")) {
        if (next.gpu_count < MAX_GPUS) next.gpu_count++;
    } else if (!strcmp(word, "driver")) set_text(next.driver, rest);
    else if (!strcmp(word, "cuda")) next.cuda = atoi(rest);
    else if (!strcmp(word, "v3_stride")) next.v3_stride = atoi(rest);
    else if (!strcmp(word, "serialize")) next.serialize = atoi(rest) != 0;
    else if (!strcmp(word, "fork_safe")) next.fork_safe = atoi(rest) != 0;
    else if (!strcmp(word, "fault")) parse_rule(rest, next.faults, &next.fault_count);
    else if (!strcmp(word, "delay_us")) parse_rule(rest, next.delays, &next.delay_count);
    else if (!strcmp(word, "procname") && next.procname_count < MAX_RULES) {
        int i = next.procname_count++;
        sscanf(rest, "%u %95s", &next.procnames[i].pid, next.procnames[i].name);
    } else if (next.gpu_count) parse_gpu(word, rest, &next.gpus[next.gpu_count - 1]);
}

void standin_reload(void) {
    char path[PATH_MAX], line[512], word[TEXT];
    struct stat now = {0};
    standin_path(path, sizeof path, "FAKE_NVML_SCENARIO", "scenario.txt");
    stat(path, &now);
    if (now.st_ino == seen.st_ino && now.st_size == seen.st_size
        && now.st_mtim.tv_sec == seen.st_mtim.tv_sec && now.st_mtim.tv_nsec == seen.st_mtim.tv_nsec)
        return;
    FILE *file = fopen(path, "re");
    if (!file) return;
    seen = now;
    memset(&next, 0, sizeof next);
    set_text(next.driver, "580.95.05");
    next.v3_stride = 24;
    while (fgets(line, sizeof line, file)) {
        int rest = 0;
        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "%95s %n", word, &rest) == 1 && *word != '#') parse_line(word, line + rest);
    }
    fclose(file);
    memcpy(&scenario, &next, sizeof next);
}
