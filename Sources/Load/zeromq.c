// The project's own protocol over libzmq.
#include <errno.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <zmq.h>

#include "clock.h"
#include "message.h"
#include "transport.h"

struct link {
    void *socket;
    int descriptor;
    bool on_feed;
    uint64_t next_ping;
};

static void *context(const struct options *options) {
    static void *shared;
    if (!shared) {
        shared = zmq_ctx_new();
        zmq_ctx_set(shared, ZMQ_IO_THREADS, options->io_threads);
        zmq_ctx_set(shared, ZMQ_MAX_SOCKETS, options->producers + 16);
    }
    return shared;
}

static void set(void *socket, int option, int value) {
    if (zmq_setsockopt(socket, option, &value, sizeof value) != 0) fail("socket option", zmq_strerror(errno));
}

static struct link *open_link(const struct options *options, int type, const char *endpoint) {
    struct link *link = calloc(1, sizeof *link);
    link->socket = zmq_socket(context(options), type);
    if (!link->socket) fail("socket", zmq_strerror(errno));
    set(link->socket, ZMQ_LINGER, 0);
    set(link->socket, ZMQ_RCVHWM, 0);  // a reader that is slow for a moment must not make the server wait or drop
    if (type == ZMQ_DEALER) set(link->socket, ZMQ_SNDHWM, 0);  // the window bounds it
    if (type == ZMQ_SUB) zmq_setsockopt(link->socket, ZMQ_SUBSCRIBE, options->prefix, strlen(options->prefix));
    if (zmq_connect(link->socket, endpoint) != 0) fail(endpoint, zmq_strerror(errno));
    size_t size = sizeof link->descriptor;
    zmq_getsockopt(link->socket, ZMQ_FD, &link->descriptor, &size);
    return link;
}

// Sends a request and waits until an answer with this `op` has come.
static void ask(struct link *link, const char *request, const char *op) {
    char answer[65536];
    zmq_send(link->socket, request, strlen(request), 0);
    set(link->socket, ZMQ_RCVTIMEO, 5000);
    for (;;) {
        int size = zmq_recv(link->socket, answer, sizeof answer, 0);
        if (size < 0) fail(request, "no answer within 5 s; is the server running?");
        if ((size_t)size > sizeof answer) size = sizeof answer;
        struct cursor cursor = cursor_over(answer, (size_t)size);
        struct text found = string_field(&cursor, "\"op\":");
        if (is(found, op)) break;
        if (is(found, "refused")) fail(request, strndup(answer, (size_t)size));
    }
    set(link->socket, ZMQ_RCVTIMEO, -1);
}

static void *open_producer(const struct options *options, struct producer *producer) {
    (void)producer;
    struct link *link = open_link(options, ZMQ_DEALER, options->requests);
    ask(link, "{\"v\":1,\"op\":\"ping\",\"ref\":\"p\"}", "pong");
    return link;
}

static bool send_message(void *argument, const char *bytes, size_t size, uint64_t number) {
    (void)number;  // it is the message's ref
    struct link *link = argument;
    return zmq_send(link->socket, bytes, size, ZMQ_DONTWAIT) >= 0;
}

static void flush(void *link) { (void)link; }

static size_t collect(void *argument, struct producer *producer) {
    struct link *link = argument;
    size_t count = 0;
    zmq_msg_t message;
    zmq_msg_init(&message);
    while (zmq_msg_recv(&message, link->socket, ZMQ_DONTWAIT) >= 0) {
        const char *bytes = zmq_msg_data(&message);
        size_t size = zmq_msg_size(&message);
        struct cursor cursor = cursor_over(bytes, size);
        struct text op = string_field(&cursor, "\"op\":");
        if (is(op, "accepted") || is(op, "done")) {
            acknowledged(producer, decimal(string_field(&cursor, "\"ref\":")));
        } else if (is(op, "refused")) {
            refused(producer, bytes, size);
        }
        count += 1;
    }
    zmq_msg_close(&message);
    return count;
}

static void *open_subscriber(const struct options *options, struct subscriber *subscriber) {
    (void)subscriber;
    if (options->feed) {
        struct link *link = open_link(options, ZMQ_SUB, options->feed);
        link->on_feed = true;
        sleep_until(now_ns() + 500000000u);  // the feed tells nobody that a subscription has arrived
        return link;
    }
    struct link *link = open_link(options, ZMQ_DEALER, options->requests);
    char request[256];
    snprintf(request, sizeof request, "{\"v\":1,\"op\":\"subscribe\",\"ref\":\"s\",\"surface\":\"%s/\"}", options->prefix);
    ask(link, request, "snapshot");
    return link;
}

static void take(struct subscriber *subscriber, const char *bytes, size_t size) {
    struct cursor cursor = cursor_over(bytes, size);
    struct text op = string_field(&cursor, "\"op\":");
    if (is(op, "snapshot")) return resynchronised(subscriber);
    if (!is(op, "show") && !is(op, "update") && !is(op, "hide")) return;
    uint64_t seq;
    struct text surface = string_field(&cursor, "\"surface\":");
    if (number_field(&cursor, "\"seq\":", &seq)) numbered(subscriber, surface.bytes, surface.size, seq);
    delivered(subscriber, &cursor);
}

static size_t drain(void *argument, struct subscriber *subscriber) {
    struct link *link = argument;
    size_t count = 0;
    zmq_msg_t message;
    zmq_msg_init(&message);
    // At most so many before the caller counts them: producers wait for the count when the subscriber lags.
    while (count < 256 && zmq_msg_recv(&message, link->socket, ZMQ_DONTWAIT) >= 0) {
        count += 1;
        if (link->on_feed && zmq_msg_more(&message)) continue;  // the topic
        take(subscriber, zmq_msg_data(&message), zmq_msg_size(&message));
    }
    zmq_msg_close(&message);
    if (!link->on_feed && now_ns() > link->next_ping) {
        static const char ping[] = "{\"v\":1,\"op\":\"ping\"}";
        zmq_send(link->socket, ping, sizeof ping - 1, ZMQ_DONTWAIT);
        link->next_ping = now_ns() + 1000000000u;
        count += 1;  // sending may have used up the descriptor's signal, so look again before sleeping
    }
    return count;
}

static int descriptor(void *link) { return ((struct link *)link)->descriptor; }

static void close_link(void *argument) {
    struct link *link = argument;
    zmq_close(link->socket);
    free(link);
}

const struct transport transport = {
    .name = "zeromq", .open_producer = open_producer, .send = send_message, .flush = flush, .collect = collect,
    .open_subscriber = open_subscriber, .drain = drain, .descriptor = descriptor,
    .close_producer = close_link, .close_subscriber = close_link,
};
