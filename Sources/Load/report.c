#include "report.h"

#include <inttypes.h>
#include <unistd.h>

static void percentiles(FILE *file, const char *name, const struct histogram *times) {
    fprintf(file, "  \"%s\": {\"count\": %" PRIu64, name, times->count);
    static const struct {
        const char *name;
        double part;
    } wanted[] = {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        fprintf(file, ", \"%s\": %.1f", wanted[i].name, (double)histogram_value(times, wanted[i].part) / 1000);
    }
    fprintf(file, ", \"max\": %.1f},\n", (double)times->largest / 1000);
}

// The part of the machine that was busy with something else, 0 to 1. Much of it and the run says little.
static double others(const struct options *options, const struct measurement *m) {
    uint64_t ours = m->server_cpu_us + m->load_cpu_us;
    if (options->server == 0 || m->machine_cpu_us <= ours) return 0;
    return (double)(m->machine_cpu_us - ours) / 1e6 / m->seconds / (double)sysconf(_SC_NPROCESSORS_ONLN);
}

static double each(uint64_t microseconds, uint64_t messages) {
    return messages > 0 ? (double)microseconds / (double)messages : 0;
}

bool report(FILE *file, const struct run *run, const struct subscriber *subscriber, const struct measurement *m) {
    const struct options *o = &run->options;
    uint64_t fewer = m->accepted < m->delivered ? m->accepted : m->delivered;
    uint64_t lost = m->total_accepted > subscriber->received ? m->total_accepted - subscriber->received : 0;
    uint64_t surplus = subscriber->received > m->total_accepted ? subscriber->received - m->total_accepted : 0;
    bool clean = lost == 0 && surplus == 0 && m->refused == 0 && m->unanswered == 0 && m->strange == 0 && subscriber->gaps == 0 &&
                 subscriber->order_faults == 0 && subscriber->resynchronisations == 0 && m->accepted > 0;
    fprintf(file, "{\n  \"transport\": \"%s\", \"endpoint\": \"%s\", \"delivery\": \"%s\",\n", transport.name, o->requests,
            o->feed ? "feed" : "requests");
    fprintf(file, "  \"producers\": %d, \"window\": %d, \"size\": %d, \"mix\": \"%s\", \"rate\": %" PRIu64 ",\n", o->producers,
            o->window, o->size, o->mix == mix_show ? "show" : "update", o->rate);
    fprintf(file, "  \"seconds\": %.3f, \"messages_per_second\": %.0f,\n", m->seconds, (double)fewer / m->seconds);
    fprintf(file, "  \"acknowledged_per_second\": %.0f, \"delivered_per_second\": %.0f,\n", (double)m->accepted / m->seconds,
            (double)m->delivered / m->seconds);
    percentiles(file, "acknowledgement_us", &m->acknowledgement);
    percentiles(file, "time_to_screen_us", &subscriber->times);
    fprintf(file, "  \"server_cpu_us_per_message\": %.3f, \"server_kib\": %" PRIu64 ", \"load_cpu_us_per_message\": %.3f,\n",
            each(m->server_cpu_us, m->accepted), m->server_kib, each(m->load_cpu_us, m->accepted));
    fprintf(file, "  \"others_cpu\": %.3f,\n", others(o, m));
    fprintf(file, "  \"sent\": %" PRIu64 ", \"accepted\": %" PRIu64 ", \"refused\": %" PRIu64 ", \"delivered\": %" PRIu64 ",\n",
            m->sent, m->total_accepted, m->refused, subscriber->received);
    fprintf(file, "  \"unanswered\": %" PRIu64 ", \"strange_answers\": %" PRIu64 ", \"lost\": %" PRIu64 ", \"surplus\": %" PRIu64 ",\n",
            m->unanswered, m->strange, lost, surplus);
    fprintf(file, "  \"gaps\": %" PRIu64 ", \"order_faults\": %" PRIu64 ", \"resynchronisations\": %" PRIu64 ", \"clean\": %s\n}\n",
            subscriber->gaps, subscriber->order_faults, subscriber->resynchronisations, clean ? "true" : "false");
    return clean;
}
