// The load of the benchmark: producers with a bounded number of messages on the way, and one subscriber that must get
// everything, in order. It speaks the project's protocol, so it works against the arbiter and the bare program alike.
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "clock.h"
#include "process.h"
#include "report.h"

void fail(const char *what, const char *why) {
    fprintf(stderr, "Load: %s: %s\n", what, why);
    exit(2);
}

void refused(struct producer *producer, const char *text, size_t size) {
    if (producer->refused == 0) fprintf(stderr, "Load: refused: %.*s\n", (int)size, text);
    producer->refused += 1;
    producer->outstanding -= 1;
}

static void *zeroed(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory) fail("memory", strerror(errno));
    return memory;
}

static pthread_t start(void *(*body)(void *), void *argument) {
    pthread_t thread;
    int code = pthread_create(&thread, 0, body, argument);
    if (code != 0) fail("starting a thread", strerror(code));
    return thread;
}

static void open_producer(struct producer *producer, struct run *run, int index) {
    const struct options *o = &run->options;
    producer->run = run;
    producer->index = index;
    producer->limit = (uint64_t)(o->window / o->producers + (index < o->window % o->producers ? 1 : 0));
    // Answers may come in another order than the messages were sent, so the ring is wider than the window.
    uint64_t room = 1024;
    while (room < producer->limit * 64) room *= 2;
    producer->mask = room - 1;
    producer->stamps = zeroed(room, sizeof *producer->stamps);
    producer->streams = zeroed((size_t)o->streams, sizeof *producer->streams);
    for (int i = 0; i < o->streams; i++) stream_open(&producer->streams[i], o, index, i);
    producer->link = transport.open_producer(o, producer);
}

static uint64_t own_cpu_us(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000u +
           (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void take(struct measurement *m, struct run *run) {
    m->accepted = atomic_load(&run->accepted) - m->accepted;
    m->delivered = atomic_load(&run->delivered) - m->delivered;
    m->machine_cpu_us = machine_cpu_us() - m->machine_cpu_us;
    m->load_cpu_us = own_cpu_us() - m->load_cpu_us;
    if (run->options.server != 0) m->server_cpu_us = cpu_time_us(run->options.server) - m->server_cpu_us;
}

int main(int count, char **words) {
    static struct run run;
    static struct subscriber subscriber;
    static struct measurement m;
    run.options = parse_options(count, words);
    const struct options *o = &run.options;
    prctl(PR_SET_TIMERSLACK, 1);  // threads inherit it; the default of 50 us would show in every paced latency
    setvbuf(stderr, 0, _IOLBF, 0);

    size_t streams = (size_t)o->producers * (size_t)o->streams;
    subscriber.run = &run;
    subscriber.numbers = zeroed(streams, sizeof *subscriber.numbers);
    subscriber.seqs = zeroed(streams, sizeof *subscriber.seqs);
    subscriber.link = transport.open_subscriber(o, &subscriber);
    struct producer *producers = zeroed((size_t)o->producers, sizeof *producers);
    for (int i = 0; i < o->producers; i++) open_producer(&producers[i], &run, i);

    run.origin = now_ns();
    run.from = run.origin + (uint64_t)(o->warmup * 1e9);
    run.to = run.from + (uint64_t)(o->duration * 1e9);
    pthread_t reader = start(subscribe, &subscriber), *writers = zeroed((size_t)o->threads, sizeof *writers);
    struct producer_thread *threads = zeroed((size_t)o->threads, sizeof *threads);
    for (int i = 0, next = 0; i < o->threads; i++) {
        int share = o->producers / o->threads + (i < o->producers % o->threads ? 1 : 0);
        threads[i] = (struct producer_thread){.run = &run, .first = next, .count = share, .producers = &producers[next]};
        for (int j = 0; j < share; j++) producers[next + j].times = &threads[i].times;
        next += share;
        writers[i] = start(produce, &threads[i]);
    }

    sleep_until(run.from);
    uint64_t began = now_ns();
    take(&m, &run);
    sleep_until(run.to);
    take(&m, &run);
    m.seconds = (double)(now_ns() - began) / 1e9;
    if (o->server != 0) m.server_kib = resident_kib(o->server);
    atomic_store(&run.stop, true);
    for (int i = 0; i < o->threads; i++) pthread_join(writers[i], 0);
    atomic_store(&run.complete, true);
    pthread_join(reader, 0);

    for (int i = 0; i < o->threads; i++) histogram_merge(&m.acknowledgement, &threads[i].times);
    for (int i = 0; i < o->producers; i++) {
        m.sent += producers[i].next;
        m.total_accepted += producers[i].accepted;
        m.refused += producers[i].refused;
        m.strange += producers[i].strange;
        m.unanswered += producers[i].outstanding;
        transport.close_producer(producers[i].link);
    }
    transport.close_subscriber(subscriber.link);
    return report(stdout, &run, &subscriber, &m) ? 0 : 1;
}
