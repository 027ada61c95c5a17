// One run: its phases, what the threads share, and what they counted.
#pragma once
#include <stdatomic.h>

#include "histogram.h"
#include "message.h"
#include "transport.h"

struct run {
    struct options options;
    uint64_t from, to;  // what was due between these instants is measured
    uint64_t origin;    // of the schedule
    _Atomic uint64_t accepted, delivered;
    atomic_bool stop;      // producers send nothing new
    atomic_bool complete;  // the subscriber need not wait any longer
};

struct producer {
    struct run *run;
    void *link;
    int index;
    struct stream *streams;
    uint64_t next, accepted, refused, strange, outstanding, limit;
    uint64_t mask, *stamps;  // when each outstanding message was due, by number; 0 once it is answered
    struct histogram *times;
};

struct subscriber {
    struct run *run;
    void *link;
    uint64_t *numbers, *seqs;  // next expected by stream; 0 in `seqs` before the first
    uint64_t received, gaps, order_faults, resynchronisations;
    struct histogram times;
};

struct producer_thread {
    struct run *run;
    int first, count;
    struct producer *producers;
    struct histogram times;
};

void *produce(void *thread);
void *subscribe(void *subscriber);

/// True for a message that was due while the run measured.
static inline bool measured(const struct run *run, uint64_t stamp) { return stamp >= run->from && stamp < run->to; }
