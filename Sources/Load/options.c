#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: Load --requests ENDPOINT [options]\n"
    "Sends raises to an arbiter, reads what one subscriber gets, and prints a report as JSON.\n"
    "Ends with 0 when nothing was lost, doubled, refused or out of order, otherwise with 1.\n\n"
    "  --requests ENDPOINT   the request port, such as tcp://127.0.0.1:7600\n"
    "  --feed ENDPOINT       subscribe to the feed instead of the request port\n"
    "  --producers N         connections (8)\n"
    "  --threads N           threads that serve them (1)\n"
    "  --streams N           surfaces of each producer (4)\n"
    "  --window N            messages without an acknowledgement, over all producers (256)\n"
    "  --size BYTES          of one raise (250)\n"
    "  --rate R|max          messages a second over all producers (max)\n"
    "  --mix update|show     replace the content of a shown alert, or show and dismiss in turn (update)\n"
    "  --warmup SECONDS      not measured (1)\n"
    "  --duration SECONDS    measured (5)\n"
    "  --max-lag N           accepted messages that may be on the way to the subscriber (8192)\n"
    "  --io-threads N        of libzmq (1)\n"
    "  --prefix PATH         of the surfaces (load)\n"
    "  --pid PID             report the CPU time and memory of this server\n";

static _Noreturn void complain(const char *option, const char *value) {
    fprintf(stderr, "Load: %s %s is not understood\n%s", option, value, usage);
    exit(64);
}

static double number(const char *option, const char *text, double least, double most) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != 0 || !(value >= least && value <= most)) complain(option, text);
    return value;
}

struct options parse_options(int count, char **words) {
    struct options o = {.prefix = "load", .producers = 8, .threads = 1, .streams = 4, .window = 256, .size = 250,
                        .io_threads = 1, .max_lag = 8192, .warmup = 1, .duration = 5};
    enum { requests = 1, feed, producers, threads, streams, window, size, rate, mix, warmup, duration, lag, io, prefix, pid, help };
    static const struct option known[] = {
        {"requests", 1, 0, requests}, {"feed", 1, 0, feed}, {"producers", 1, 0, producers}, {"threads", 1, 0, threads},
        {"streams", 1, 0, streams}, {"window", 1, 0, window}, {"size", 1, 0, size}, {"rate", 1, 0, rate},
        {"mix", 1, 0, mix}, {"warmup", 1, 0, warmup}, {"duration", 1, 0, duration}, {"max-lag", 1, 0, lag},
        {"io-threads", 1, 0, io}, {"prefix", 1, 0, prefix}, {"pid", 1, 0, pid}, {"help", 0, 0, help}, {0, 0, 0, 0}};
    int found;
    while ((found = getopt_long(count, words, "", known, 0)) != -1) {
        switch (found) {
        case requests: o.requests = optarg; break;
        case feed: o.feed = optarg; break;
        case prefix: o.prefix = optarg; break;
        case producers: o.producers = (int)number("--producers", optarg, 1, 4096); break;
        case threads: o.threads = (int)number("--threads", optarg, 1, 256); break;
        case streams: o.streams = (int)number("--streams", optarg, 1, 4096); break;
        case window: o.window = (int)number("--window", optarg, 1, 1 << 20); break;
        case size: o.size = (int)number("--size", optarg, 1, 1 << 20); break;
        case io: o.io_threads = (int)number("--io-threads", optarg, 1, 16); break;
        case lag: o.max_lag = (uint64_t)number("--max-lag", optarg, 1, 1e12); break;
        case warmup: o.warmup = number("--warmup", optarg, 0, 86400); break;
        case duration: o.duration = number("--duration", optarg, 0.01, 86400); break;
        case pid: o.server = (pid_t)number("--pid", optarg, 1, 1 << 30); break;
        case rate: o.rate = strcmp(optarg, "max") == 0 ? 0 : (uint64_t)number("--rate", optarg, 1, 1e8); break;
        case mix:
            if (strcmp(optarg, "update") == 0) o.mix = mix_update;
            else if (strcmp(optarg, "show") == 0) o.mix = mix_show;
            else complain("--mix", optarg);
            break;
        case help: fputs(usage, stdout); exit(0);
        default: fputs(usage, stderr); exit(64);
        }
    }
    if (optind < count) complain("the word", words[optind]);
    if (!o.requests) complain("--requests", "(missing)");
    if (o.threads > o.producers) o.threads = o.producers;
    if (o.window < o.producers) o.window = o.producers;
    return o;
}
