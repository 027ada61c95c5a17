#include "process.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

uint64_t cpu_time_us(pid_t process) {
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    size_t size = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[size] = 0;
    // The name in brackets may hold anything; the fields are counted from its end. utime and stime are the 12th and 13th.
    const char *rest = strrchr(line, ')');
    uint64_t user = 0, system = 0;
    if (!rest || sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64, &user, &system) != 2) {
        return 0;
    }
    return (user + system) * 1000000u / (uint64_t)sysconf(_SC_CLK_TCK);
}

uint64_t resident_kib(pid_t process) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/statm", (int)process);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    uint64_t pages = 0;
    if (fscanf(file, "%*u %" SCNu64, &pages) != 1) pages = 0;
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE) / 1024u;
}

uint64_t machine_cpu_us(void) {
    FILE *file = fopen("/proc/stat", "r");
    if (!file) return 0;
    uint64_t user = 0, nice = 0, system = 0, interrupts = 0, soft = 0, stolen = 0;
    // The fourth and fifth are idle and waiting for the disk.
    int found = fscanf(file, "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %*u %*u %" SCNu64 " %" SCNu64 " %" SCNu64, &user, &nice,
                       &system, &interrupts, &soft, &stolen);
    fclose(file);
    if (found != 6) return 0;
    return (user + nice + system + interrupts + soft + stolen) * 1000000u / (uint64_t)sysconf(_SC_CLK_TCK);
}
