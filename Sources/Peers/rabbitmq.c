// AMQP: a durable priority queue, persistent messages, publisher confirms.
#include <amqp.h>
#include <amqp_framing.h>
#include <amqp_tcp_socket.h>
#include <sys/time.h>

#include "../Load/transport.h"
#include "address.h"

enum { tag_ring = 1 << 16 };

struct link {
    amqp_connection_state_t connection;
    amqp_bytes_t queue;
    uint64_t lowest;            // the lowest delivery tag without a confirm; tags start at 1
    bool confirmed[tag_ring];   // above `lowest`
};

static void check(amqp_rpc_reply_t reply, const char *what) {
    if (reply.reply_type == AMQP_RESPONSE_NORMAL) return;
    if (reply.reply_type == AMQP_RESPONSE_LIBRARY_EXCEPTION) fail(what, amqp_error_string2(reply.library_error));
    fail(what, "the server refused");
}

static struct link *open_link(const struct options *options) {
    struct address address = address_of(options->requests);
    struct link *link = calloc(1, sizeof *link);
    link->lowest = 1;
    link->queue = amqp_cstring_bytes(options->prefix);
    link->connection = amqp_new_connection();
    amqp_socket_t *socket = amqp_tcp_socket_new(link->connection);
    if (amqp_socket_open(socket, address.host, address.port) != 0) fail(options->requests, "cannot connect");
    check(amqp_login(link->connection, "/", 0, 131072, 0, AMQP_SASL_METHOD_PLAIN, "guest", "guest"), "logging in");
    amqp_channel_open(link->connection, 1);
    check(amqp_get_rpc_reply(link->connection), "opening a channel");
    return link;
}

static void *open_producer(const struct options *options, struct producer *producer) {
    (void)producer;
    struct link *link = open_link(options);
    amqp_confirm_select(link->connection, 1);
    check(amqp_get_rpc_reply(link->connection), "asking for confirms");
    return link;
}

static bool send_message(void *argument, const char *bytes, size_t size, uint64_t number) {
    (void)number;  // the delivery tag is the number + 1
    struct link *link = argument;
    amqp_basic_properties_t properties = {
        ._flags = AMQP_BASIC_DELIVERY_MODE_FLAG | AMQP_BASIC_PRIORITY_FLAG, .delivery_mode = 2, .priority = 1};
    int code = amqp_basic_publish(link->connection, 1, amqp_empty_bytes, link->queue, 0, 0, &properties,
                                  (amqp_bytes_t){.len = size, .bytes = (void *)bytes});
    if (code != AMQP_STATUS_OK) fail("publishing", amqp_error_string2(code));
    return true;
}

static void flush(void *link) { (void)link; }

static void confirm(struct link *link, struct producer *producer, uint64_t tag) {
    if (tag < link->lowest || link->confirmed[tag % tag_ring]) return;
    link->confirmed[tag % tag_ring] = true;
    acknowledged(producer, tag - 1);
}

static size_t collect(void *argument, struct producer *producer) {
    struct link *link = argument;
    struct timeval none = {0, 0};
    amqp_frame_t frame;
    size_t count = 0;
    int code;
    while ((code = amqp_simple_wait_frame_noblock(link->connection, &frame, &none)) == AMQP_STATUS_OK) {
        count += 1;
        if (frame.frame_type != AMQP_FRAME_METHOD) continue;
        if (frame.payload.method.id == AMQP_BASIC_NACK_METHOD) {
            refused(producer, "nack", 4);
        } else if (frame.payload.method.id == AMQP_BASIC_ACK_METHOD) {
            amqp_basic_ack_t *ack = frame.payload.method.decoded;
            for (uint64_t tag = ack->multiple ? link->lowest : ack->delivery_tag; tag <= ack->delivery_tag; tag++) {
                confirm(link, producer, tag);
            }
            for (; link->confirmed[link->lowest % tag_ring]; link->lowest++) link->confirmed[link->lowest % tag_ring] = false;
        }
    }
    if (code != AMQP_STATUS_TIMEOUT) fail("receiving", amqp_error_string2(code));
    amqp_maybe_release_buffers(link->connection);
    return count;
}

static void *open_subscriber(const struct options *options, struct subscriber *subscriber) {
    (void)subscriber;
    struct link *link = open_link(options);
    amqp_table_entry_t entry = {.key = amqp_cstring_bytes("x-max-priority"), .value = {.kind = AMQP_FIELD_KIND_I32, .value.i32 = 3}};
    amqp_queue_declare(link->connection, 1, link->queue, 0, 1, 0, 0, (amqp_table_t){.num_entries = 1, .entries = &entry});
    check(amqp_get_rpc_reply(link->connection), "declaring the queue");
    amqp_queue_purge(link->connection, 1, link->queue);
    check(amqp_get_rpc_reply(link->connection), "emptying the queue");
    // Without consumer acknowledgements: the arbiter's subscribers do not confirm single messages either.
    amqp_basic_consume(link->connection, 1, link->queue, amqp_empty_bytes, 0, 1, 0, amqp_empty_table);
    check(amqp_get_rpc_reply(link->connection), "consuming");
    return link;
}

static size_t drain(void *argument, struct subscriber *subscriber) {
    struct link *link = argument;
    struct timeval none = {0, 0};
    size_t count = 0;
    for (; count < 256; count++) {
        amqp_envelope_t envelope;
        amqp_maybe_release_buffers(link->connection);
        amqp_rpc_reply_t reply = amqp_consume_message(link->connection, &envelope, &none, 0);
        if (reply.reply_type == AMQP_RESPONSE_LIBRARY_EXCEPTION && reply.library_error == AMQP_STATUS_TIMEOUT) break;
        check(reply, "receiving");
        struct cursor cursor = cursor_over(envelope.message.body.bytes, envelope.message.body.len);
        delivered(subscriber, &cursor);
        amqp_destroy_envelope(&envelope);
    }
    return count;
}

static int descriptor(void *link) { return amqp_get_sockfd(((struct link *)link)->connection); }

static void close_link(void *argument) {
    struct link *link = argument;
    amqp_connection_close(link->connection, AMQP_REPLY_SUCCESS);
    amqp_destroy_connection(link->connection);
    free(link);
}

const struct transport transport = {
    .name = "rabbitmq", .open_producer = open_producer, .send = send_message, .flush = flush, .collect = collect,
    .open_subscriber = open_subscriber, .drain = drain, .descriptor = descriptor,
    .close_producer = close_link, .close_subscriber = close_link,
};
