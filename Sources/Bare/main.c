#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bare.h"

static const char usage[] =
    "usage: Bare --requests ENDPOINT [--feed ENDPOINT] [--journal none|FILE] [--io-threads N] [--fault drop|swap|double]\n"
    "Acknowledges and publishes every raise without deciding anything. The floor of the benchmark.\n"
    "With --journal FILE each batch is appended and synced to the disk before anything is published or acknowledged.\n"
    "With --fault every 1000th published message is dropped, swapped with the next, or doubled.\n"
    "Prints one line when it is ready; ends on SIGTERM or SIGINT with what it counted.\n";

static volatile sig_atomic_t ended;

static void end(int signal) {
    (void)signal;
    ended = 1;
}

void fail(const char *what, const char *why) {
    fprintf(stderr, "Bare: %s: %s\n", what, why);
    exit(2);
}

static void set(void *socket, int option, int value) {
    if (zmq_setsockopt(socket, option, &value, sizeof value) != 0) fail("socket option", zmq_strerror(errno));
}

static void *open_socket(void *context, int type, const char *endpoint) {
    void *socket = zmq_socket(context, type);
    if (!socket) fail("socket", zmq_strerror(errno));
    set(socket, ZMQ_LINGER, 0);
    set(socket, ZMQ_SNDHWM, 0);                                       // nothing may be dropped; Load bounds what is on the way
    if (type == ZMQ_ROUTER) set(socket, ZMQ_ROUTER_MANDATORY, 1);     // tells when a subscriber has gone
    if (zmq_bind(socket, endpoint) != 0) fail(endpoint, zmq_strerror(errno));
    return socket;
}

static enum fault fault_named(const char *name) {
    if (strcmp(name, "drop") == 0) return fault_drop;
    if (strcmp(name, "swap") == 0) return fault_swap;
    if (strcmp(name, "double") == 0) return fault_double;
    fail("--fault", "must be drop, swap or double");
}

static bool changes(const struct request *request) {
    return request->operation == operation_raise || request->operation == operation_dismiss;
}

static void publish_batch(struct bare *bare, int count) {
    for (int i = 0; i < count; i++) {
        struct request *request = &bare->batch[i];
        if (!changes(request)) continue;
        request->seq = next_seq(request->surface);
        bare->messages += 1;
        if (bare->fault == fault_none) publish(bare, request);
        else publish_with_fault(bare, request);
    }
}

static void serve(struct bare *bare) {
    zmq_pollitem_t items[] = {{bare->requests, 0, ZMQ_POLLIN, 0}, {bare->feed, 0, ZMQ_POLLIN, 0}};
    while (!ended) {
        if (bare->feed) follow_observers(bare);
        int count = drain(bare);
        if (count == 0) {
            zmq_poll(items, bare->feed ? 2 : 1, 250);
            continue;
        }
        if (bare->journal >= 0) journal(bare, count);
        publish_batch(bare, count);
        for (int i = 0; i < count; i++) reply(bare, &bare->batch[i]);
        bare->batches += 1;
    }
}

int main(int count, char **words) {
    static struct bare bare = {.journal = -1};
    const char *requests = 0, *feed = 0, *journal_path = "none";
    int io_threads = 1, found;
    static const struct option known[] = {{"requests", 1, 0, 'r'}, {"feed", 1, 0, 'f'},  {"journal", 1, 0, 'j'},
                                          {"io-threads", 1, 0, 'i'}, {"fault", 1, 0, 'x'}, {"help", 0, 0, 'h'}, {0, 0, 0, 0}};
    while ((found = getopt_long(count, words, "", known, 0)) != -1) {
        switch (found) {
        case 'r': requests = optarg; break;
        case 'f': feed = optarg; break;
        case 'j': journal_path = optarg; break;
        case 'i': io_threads = atoi(optarg) > 0 ? atoi(optarg) : 1; break;
        case 'x': bare.fault = fault_named(optarg); break;
        case 'h': fputs(usage, stdout); return 0;
        default: fputs(usage, stderr); return 64;
        }
    }
    if (!requests || optind < count) {
        fputs(usage, stderr);
        return 64;
    }
    struct sigaction action = {.sa_handler = end};
    sigaction(SIGTERM, &action, 0);
    sigaction(SIGINT, &action, 0);
    // A parent may have blocked them; a process inherits that.
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    sigprocmask(SIG_UNBLOCK, &ends, 0);
    if (strcmp(journal_path, "none") != 0 && strcmp(journal_path, "memory") != 0) {
        bare.journal = open(journal_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (bare.journal < 0) fail(journal_path, strerror(errno));
    }
    void *context = zmq_ctx_new();
    zmq_ctx_set(context, ZMQ_IO_THREADS, io_threads);
    bare.requests = open_socket(context, ZMQ_ROUTER, requests);
    if (feed) bare.feed = open_socket(context, ZMQ_XPUB, feed);
    for (int i = 0; i < batch_limit; i++) {
        zmq_msg_init(&bare.batch[i].peer);
        zmq_msg_init(&bare.batch[i].body);
    }
    char bound[256];
    size_t size = sizeof bound;
    if (zmq_getsockopt(bare.requests, ZMQ_LAST_ENDPOINT, bound, &size) != 0) fail(requests, zmq_strerror(errno));
    printf("ready requests=%s feed=%s journal=%s\n", bound, feed ? feed : "none", journal_path);
    fflush(stdout);
    serve(&bare);
    printf("messages=%" PRIu64 " deliveries=%" PRIu64 " batches=%" PRIu64 "\n", bare.messages, bare.deliveries, bare.batches);
    zmq_close(bare.requests);
    if (bare.feed) zmq_close(bare.feed);
    zmq_ctx_term(context);
    return 0;
}
