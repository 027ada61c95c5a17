#include <poll.h>

#include "clock.h"
#include "run.h"

void delivered(struct subscriber *subscriber, struct cursor *payload) {
    struct run *run = subscriber->run;
    subscriber->received += 1;
    uint64_t id, number, stamp;
    if (!number_field(payload, "\"s\":", &id)) return;  // a dismissal names no message
    uint64_t streams = (uint64_t)run->options.producers * (uint64_t)run->options.streams;
    if (id >= streams || !number_field(payload, "\"n\":", &number) || !number_field(payload, "\"t\":", &stamp)) {
        subscriber->order_faults += 1;
        return;
    }
    uint64_t *expected = &subscriber->numbers[id];
    if (number < *expected) {
        subscriber->order_faults += 1;  // doubled, or too late
        return;
    }
    if (number > *expected) subscriber->gaps += number - *expected;
    *expected = number + 1;
    if (measured(run, stamp)) histogram_add(&subscriber->times, now_ns() - stamp);
}

void numbered(struct subscriber *subscriber, const char *surface, size_t size, uint64_t seq) {
    // The surface is PREFIX/PRODUCER/STREAM.
    const char *at = surface + size;
    uint64_t parts[2] = {0, 0}, scale = 1;
    for (int part = 1; at > surface && part >= 0;) {
        char c = *--at;
        if (c == '/') {
            part -= 1;
            scale = 1;
        } else if (c >= '0' && c <= '9') {
            parts[part] += scale * (uint64_t)(c - '0');
            scale *= 10;
        } else {
            break;
        }
    }
    const struct options *options = &subscriber->run->options;
    uint64_t id = parts[0] * (uint64_t)options->streams + parts[1];
    if (id >= (uint64_t)options->producers * (uint64_t)options->streams) return;
    uint64_t *expected = &subscriber->seqs[id];
    if (*expected != 0 && seq != *expected) subscriber->order_faults += 1;
    *expected = seq + 1;
}

void resynchronised(struct subscriber *subscriber) { subscriber->resynchronisations += 1; }

void *subscribe(void *argument) {
    struct subscriber *subscriber = argument;
    struct run *run = subscriber->run;
    struct pollfd descriptor = {.fd = transport.descriptor(subscriber->link), .events = POLLIN};
    uint64_t quiet_since = now_ns();
    for (;;) {
        uint64_t before = subscriber->received;
        size_t progress = transport.drain(subscriber->link, subscriber);
        if (subscriber->received != before) {
            atomic_store_explicit(&run->delivered, subscriber->received, memory_order_relaxed);
            quiet_since = now_ns();
        }
        if (progress > 0) continue;
        // Complete: the producers are done, and either everything has come or nothing has come for a while. The short
        // wait after the last one finds what comes twice.
        if (atomic_load(&run->complete)) {
            uint64_t patience = subscriber->received >= atomic_load(&run->accepted) ? 50000000u : 3000000000u;
            if (now_ns() - quiet_since > patience) break;
        }
        poll(&descriptor, 1, 20);
    }
    return 0;
}
