#pragma once
#include <stdio.h>

#include "run.h"

/// What was measured between the end of the warm-up and the end of the run.
struct measurement {
    double seconds;
    uint64_t accepted, delivered, server_cpu_us, load_cpu_us, machine_cpu_us, server_kib;
    uint64_t sent, total_accepted, refused, strange, unanswered;
    struct histogram acknowledgement;
};

/// Prints one JSON object. Returns whether nothing was lost, doubled, refused or out of order.
bool report(FILE *file, const struct run *run, const struct subscriber *subscriber, const struct measurement *measurement);
