// What the kernel knows about a process.
#pragma once
#include <stdint.h>
#include <sys/types.h>

/// User and system time of the process and its threads in microseconds; 0 when there is no such process.
uint64_t cpu_time_us(pid_t process);

/// Memory in use in KiB; 0 when there is no such process.
uint64_t resident_kib(pid_t process);

/// Time that all processors of the machine were busy, in microseconds since it started.
uint64_t machine_cpu_us(void);
