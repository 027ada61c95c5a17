// NATS JetStream: one replica, file storage. Each publish names a reply subject that ends in the message's number.
#include <nats/nats.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "../Load/transport.h"
#include "address.h"

enum { mailbox_room = 1 << 17 };

// The client library reads on threads of its own; this hands over to ours.
struct link {
    natsConnection *connection;
    natsSubscription *subscription;
    jsCtx *stream;
    const char *prefix;
    char inbox[64];
    int descriptor;
    pthread_mutex_t lock;
    uint64_t put, taken;
    natsMsg *mailbox[mailbox_room];
};

static void check(natsStatus status, const char *what) {
    if (status != NATS_OK) fail(what, natsStatus_GetText(status));
}

static void arrived(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *argument) {
    (void)connection, (void)subscription;
    struct link *link = argument;
    pthread_mutex_lock(&link->lock);
    if (link->put - link->taken == mailbox_room) fail("receiving", "more messages than there is room for");
    bool first = link->put == link->taken;
    link->mailbox[link->put++ % mailbox_room] = message;
    pthread_mutex_unlock(&link->lock);
    uint64_t one = 1;
    if (first && write(link->descriptor, &one, sizeof one) < 0) fail("waking", "eventfd");
}

// The next message that has arrived; 0 when there is none.
static natsMsg *take(struct link *link) {
    pthread_mutex_lock(&link->lock);
    natsMsg *message = link->taken < link->put ? link->mailbox[link->taken++ % mailbox_room] : 0;
    pthread_mutex_unlock(&link->lock);
    return message;
}

static void clear_signal(struct link *link) {
    uint64_t count;
    if (read(link->descriptor, &count, sizeof count) < 0) return;  // nothing was signalled
}

static struct link *open_link(const struct options *options) {
    struct address address = address_of(options->requests);
    struct link *link = calloc(1, sizeof *link);
    char url[192];
    snprintf(url, sizeof url, "nats://%s:%d", address.host, address.port);
    pthread_mutex_init(&link->lock, 0);
    link->prefix = options->prefix;
    link->descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    check(natsConnection_ConnectTo(&link->connection, url), url);
    return link;
}

static void *open_producer(const struct options *options, struct producer *producer) {
    (void)producer;
    static int count;
    struct link *link = open_link(options);
    char subject[80];
    snprintf(link->inbox, sizeof link->inbox, "confirm.%d.%d", (int)getpid(), count++);
    snprintf(subject, sizeof subject, "%s.*", link->inbox);
    check(natsConnection_Subscribe(&link->subscription, link->connection, subject, arrived, link), "subscribing");
    check(natsConnection_Flush(link->connection), "subscribing");
    return link;
}

static bool send_message(void *argument, const char *bytes, size_t size, uint64_t number) {
    struct link *link = argument;
    char reply[96];
    snprintf(reply, sizeof reply, "%s.%llu", link->inbox, (unsigned long long)number);
    check(natsConnection_PublishRequest(link->connection, link->prefix, reply, bytes, (int)size), "publishing");
    return true;
}

static void flush(void *link) { (void)link; }  // the client library sends on a thread of its own

static size_t collect(void *argument, struct producer *producer) {
    struct link *link = argument;
    size_t count = 0;
    clear_signal(link);
    for (natsMsg *message; (message = take(link)); count++) {
        const char *text = natsMsg_GetData(message);
        size_t size = (size_t)natsMsg_GetDataLength(message);
        if (memmem(text, size, "\"error\"", 7) || size == 0) refused(producer, text, size);
        else acknowledged(producer, strtoull(strrchr(natsMsg_GetSubject(message), '.') + 1, 0, 10));
        natsMsg_Destroy(message);
    }
    return count;
}

static void *open_subscriber(const struct options *options, struct subscriber *subscriber) {
    (void)subscriber;
    struct link *link = open_link(options);
    check(natsConnection_JetStream(&link->stream, link->connection, 0), "JetStream");
    js_DeleteStream(link->stream, "LOAD", 0, 0);
    jsStreamConfig config;
    jsStreamConfig_Init(&config);
    const char *subjects[] = {options->prefix};
    config.Name = "LOAD";
    config.Subjects = subjects;
    config.SubjectsLen = 1;
    config.Storage = js_FileStorage;
    config.Replicas = 1;
    check(js_AddStream(0, link->stream, &config, 0, 0), "making the stream");
    jsSubOptions follow;
    jsSubOptions_Init(&follow);
    // Without consumer acknowledgements: the arbiter's subscribers do not confirm single messages either.
    follow.Config.AckPolicy = js_AckNone;
    follow.Config.DeliverPolicy = js_DeliverAll;
    check(js_Subscribe(&link->subscription, link->stream, options->prefix, arrived, link, 0, &follow, 0), "following the stream");
    check(natsSubscription_SetPendingLimits(link->subscription, -1, -1), "following the stream");
    return link;
}

static size_t drain(void *argument, struct subscriber *subscriber) {
    struct link *link = argument;
    size_t count = 0;
    clear_signal(link);
    for (natsMsg *message; (message = take(link)); count++) {
        struct cursor cursor = cursor_over(natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message));
        delivered(subscriber, &cursor);
        natsMsg_Destroy(message);
    }
    return count;
}

static int descriptor(void *link) { return ((struct link *)link)->descriptor; }

// The process ends next; what the library's threads still use stays.
static void close_link(void *argument) {
    struct link *link = argument;
    natsSubscription_Unsubscribe(link->subscription);
    natsConnection_Close(link->connection);
}

const struct transport transport = {
    .name = "nats", .open_producer = open_producer, .send = send_message, .flush = flush, .collect = collect,
    .open_subscriber = open_subscriber, .drain = drain, .descriptor = descriptor,
    .close_producer = close_link, .close_subscriber = close_link,
};
