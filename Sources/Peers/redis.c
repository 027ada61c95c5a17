// Redis Streams: XADD confirms; XREAD follows, or with CONFIRMS a consumer group, which remembers what XACK has confirmed.
#include <errno.h>
#include <hiredis/hiredis.h>
#include <poll.h>

#include "../Load/clock.h"
#include "../Load/transport.h"
#include "address.h"

#ifndef CONFIRMS
#define CONFIRMS 0
#endif

enum { most_read = 1000 };

struct link {
    redisContext *context;
    const char *prefix;
    uint64_t answered;
    char last[64];  // what the subscriber has read up to
};

static void write_all(struct link *link) {
    for (int done = 0; !done;) {
        if (redisBufferWrite(link->context, &done) != REDIS_OK) fail("sending", link->context->errstr);
        if (done) break;
        struct pollfd writable = {.fd = link->context->fd, .events = POLLOUT};
        poll(&writable, 1, 100);
    }
}

// The next answer that has arrived; 0 when there is none.
static redisReply *next_reply(struct link *link) {
    void *reply = 0;
    if (redisGetReplyFromReader(link->context, &reply) != REDIS_OK) fail("receiving", link->context->errstr);
    if (reply) return reply;
    if (redisBufferRead(link->context) != REDIS_OK) fail("receiving", link->context->errstr);
    if (redisGetReplyFromReader(link->context, &reply) != REDIS_OK) fail("receiving", link->context->errstr);
    return reply;
}

static struct link *open_link(const struct options *options) {
    struct address address = address_of(options->requests);
    struct link *link = calloc(1, sizeof *link);
    link->prefix = options->prefix;
    link->context = redisConnectNonBlock(address.host, address.port);
    if (!link->context || link->context->err) fail(options->requests, link->context ? link->context->errstr : "no memory");
    redisEnableKeepAlive(link->context);
    redisAppendCommand(link->context, "PING");
    struct pollfd writable = {.fd = link->context->fd, .events = POLLOUT};
    poll(&writable, 1, 5000);
    write_all(link);
    struct pollfd readable = {.fd = link->context->fd, .events = POLLIN};
    poll(&readable, 1, 5000);
    redisReply *reply = next_reply(link);
    if (!reply || reply->type == REDIS_REPLY_ERROR) fail(options->requests, reply ? reply->str : "no answer within 5 s");
    freeReplyObject(reply);
    return link;
}

static void *open_producer(const struct options *options, struct producer *producer) {
    (void)producer;
    return open_link(options);
}

static bool send_message(void *argument, const char *bytes, size_t size, uint64_t number) {
    (void)number;  // answers come in the order of the commands
    struct link *link = argument;
    const char *words[] = {"XADD", link->prefix, "MAXLEN", "~", "100000", "*", "m", bytes};
    const size_t sizes[] = {4, strlen(link->prefix), 6, 1, 6, 1, 1, size};
    return redisAppendCommandArgv(link->context, 8, words, sizes) == REDIS_OK;
}

static void flush(void *link) { write_all(link); }

static size_t collect(void *argument, struct producer *producer) {
    struct link *link = argument;
    size_t count = 0;
    for (redisReply *reply; (reply = next_reply(link)); count++) {
        uint64_t number = link->answered++;
        if (reply->type == REDIS_REPLY_ERROR) refused(producer, reply->str, reply->len);
        else acknowledged(producer, number);
        freeReplyObject(reply);
    }
    return count;
}

static void read_on(struct link *link) {
    if (CONFIRMS) {
        redisAppendCommand(link->context, "XREADGROUP GROUP screens one COUNT %d BLOCK 0 STREAMS %s >", most_read, link->prefix);
    } else {
        redisAppendCommand(link->context, "XREAD COUNT %d BLOCK 0 STREAMS %s %s", most_read, link->prefix, link->last);
    }
    write_all(link);
}

// All entries of an answer at once, as a client does that cares for speed.
static void confirm(struct link *link, redisReply *entries) {
    const char *words[3 + most_read] = {"XACK", link->prefix, "screens"};
    size_t sizes[3 + most_read] = {4, strlen(link->prefix), 7};
    for (size_t i = 0; i < entries->elements; i++) {
        words[3 + i] = entries->element[i]->element[0]->str;
        sizes[3 + i] = entries->element[i]->element[0]->len;
    }
    redisAppendCommandArgv(link->context, (int)(3 + entries->elements), words, sizes);
}

static void *open_subscriber(const struct options *options, struct subscriber *subscriber) {
    (void)subscriber;
    struct link *link = open_link(options);
    strcpy(link->last, "$");
    if (CONFIRMS) redisAppendCommand(link->context, "XGROUP CREATE %s screens $ MKSTREAM", link->prefix);
    read_on(link);
    sleep_until(now_ns() + 200000000u);  // a blocked read is not answered; by then the server has it
    return link;
}

static size_t drain(void *argument, struct subscriber *subscriber) {
    struct link *link = argument;
    redisReply *reply = next_reply(link);
    if (!reply) return 0;
    // The answers to XACK and to XGROUP; the group is there already when the server is used a second time.
    bool is_other = reply->type == REDIS_REPLY_INTEGER || reply->type == REDIS_REPLY_STATUS ||
                    (reply->type == REDIS_REPLY_ERROR && strncmp(reply->str, "BUSYGROUP", 9) == 0);
    if (CONFIRMS && is_other) {
        freeReplyObject(reply);
        return 1;
    }
    // One stream: [[name, [[id, [field, value]], ...]]]
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 1) fail("XREAD", reply->str ? reply->str : "another answer than expected");
    redisReply *entries = reply->element[0]->element[1];
    for (size_t i = 0; i < entries->elements; i++) {
        redisReply *value = entries->element[i]->element[1]->element[1];
        struct cursor cursor = cursor_over(value->str, (size_t)value->len);
        delivered(subscriber, &cursor);
        snprintf(link->last, sizeof link->last, "%s", entries->element[i]->element[0]->str);
    }
    size_t count = entries->elements;
    if (CONFIRMS) confirm(link, entries);
    freeReplyObject(reply);
    read_on(link);
    return count;
}

static int descriptor(void *link) { return ((struct link *)link)->context->fd; }

static void close_link(void *argument) {
    struct link *link = argument;
    redisFree(link->context);
    free(link);
}

const struct transport transport = {
    .name = "redis", .open_producer = open_producer, .send = send_message, .flush = flush, .collect = collect,
    .open_subscriber = open_subscriber, .drain = drain, .descriptor = descriptor,
    .close_producer = close_link, .close_subscriber = close_link,
};
