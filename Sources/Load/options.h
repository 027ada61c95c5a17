// What the command line asked for.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum mix {
    mix_update,  // every raise replaces the content of an alert that is on the screen
    mix_show,    // an alert is shown on top, then dismissed, in turn
};

struct options {
    const char *requests;  // a ZeroMQ endpoint, or HOST:PORT for other systems
    const char *feed;      // subscribe here instead of on the request port; 0 when not wanted
    const char *prefix;    // of the surfaces, or the name of the queue in other systems
    int producers, threads, streams, window, size, io_threads;
    uint64_t rate;     // messages a second over all producers; 0 sends as fast as the window allows
    uint64_t max_lag;  // producers pause while so many accepted messages have not reached the subscriber
    double warmup, duration;
    enum mix mix;
    pid_t server;  // whose CPU time is measured; 0 for none
};

/// Ends the process with a message and code 64 when the command line cannot be understood.
struct options parse_options(int count, char **words);
