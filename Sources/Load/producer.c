#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "run.h"

void acknowledged(struct producer *producer, uint64_t number) {
    uint64_t *stamp = &producer->stamps[number & producer->mask];
    if (number >= producer->next || *stamp == 0) {
        producer->strange += 1;
        return;
    }
    if (measured(producer->run, *stamp)) histogram_add(producer->times, now_ns() - *stamp);
    *stamp = 0;
    producer->outstanding -= 1;
    producer->accepted += 1;
}

// The instant at which the producer's next message is due. Latency counts from it, even when the message could only be
// sent later: otherwise a stall would hide the time of all the messages that it held back.
static uint64_t due(const struct producer *producer, uint64_t now) {
    const struct options *options = &producer->run->options;
    if (options->rate == 0) return now;
    uint64_t turn = producer->next * (uint64_t)options->producers + (uint64_t)producer->index;
    return producer->run->origin + (uint64_t)((double)turn * 1e9 / (double)options->rate);
}

// Sends what is due and allowed. Returns how many; lowers `wake` to the instant at which the next one is due.
static size_t send_due(struct producer *producer, char *buffer, uint64_t *wake) {
    const struct options *options = &producer->run->options;
    size_t count = 0;
    while (producer->outstanding < producer->limit) {
        uint64_t now = now_ns(), stamp = due(producer, now);
        if (stamp > now) {
            if (stamp < *wake) *wake = stamp;
            break;
        }
        int index = (int)(producer->next % (uint64_t)options->streams);
        uint64_t sent = producer->streams[index].sent;
        size_t size = write_message(buffer, &producer->streams[index], options, producer->next,
                                    producer->index * options->streams + index, stamp);
        if (!transport.send(producer->link, buffer, size, producer->next)) {
            producer->streams[index].sent = sent;
            break;
        }
        producer->stamps[producer->next & producer->mask] = stamp;
        producer->next += 1;
        producer->outstanding += 1;
        count += 1;
    }
    if (count > 0) transport.flush(producer->link);
    return count;
}

static void wait_for(struct pollfd *descriptors, int count, uint64_t wake) {
    uint64_t now = now_ns(), left = wake > now ? wake - now : 0;
    struct timespec timeout = {.tv_sec = (time_t)(left / 1000000000u), .tv_nsec = (long)(left % 1000000000u)};
    if (ppoll(descriptors, (nfds_t)count, &timeout, 0) <= 0) {
        for (int i = 0; i < count; i++) descriptors[i].revents = 0;
    }
}

void *produce(void *argument) {
    struct producer_thread *thread = argument;
    struct run *run = thread->run;
    char *buffer = malloc((size_t)run->options.size + 512);
    struct pollfd *descriptors = calloc((size_t)thread->count, sizeof *descriptors);
    for (int i = 0; i < thread->count; i++) {
        descriptors[i] = (struct pollfd){.fd = transport.descriptor(thread->producers[i].link), .events = POLLIN, .revents = POLLIN};
    }
    uint64_t give_up = 0;
    for (;;) {
        bool stopping = atomic_load_explicit(&run->stop, memory_order_relaxed);
        uint64_t outstanding = 0, accepted = 0, wake = now_ns() + 100000000u;
        size_t progress = 0;
        bool lags = atomic_load_explicit(&run->accepted, memory_order_relaxed) >
                    atomic_load_explicit(&run->delivered, memory_order_relaxed) + run->options.max_lag;
        for (int i = 0; i < thread->count; i++) {
            struct producer *producer = &thread->producers[i];
            uint64_t before = producer->accepted;
            size_t moved = 0;
            if (descriptors[i].revents != 0) moved += transport.collect(producer->link, producer);
            accepted += producer->accepted - before;
            if (!stopping && !lags) moved += send_due(producer, buffer, &wake);
            // Sending may have used up the signal of the descriptor, so look again before sleeping.
            descriptors[i].revents = moved > 0 ? POLLIN : 0;
            progress += moved;
            outstanding += producer->outstanding;
        }
        if (accepted > 0) atomic_fetch_add_explicit(&run->accepted, accepted, memory_order_relaxed);
        if (lags && wake > now_ns() + 200000u) wake = now_ns() + 200000u;
        if (stopping) {
            if (give_up == 0) give_up = now_ns() + 10000000000u;
            if (outstanding == 0 || now_ns() > give_up) break;
        }
        if (progress == 0) wait_for(descriptors, thread->count, wake);
    }
    free(buffer);
    free(descriptors);
    return 0;
}
