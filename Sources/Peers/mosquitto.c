// MQTT, quality of service 1: the server confirms to the producer and keeps each message until the subscriber has it.
#include <mosquitto.h>

#include "../Load/clock.h"
#include "../Load/transport.h"
#include "address.h"

struct link {
    struct mosquitto *client;
    struct producer *producer;
    struct subscriber *subscriber;
    const char *prefix;
    bool ready;
    size_t count;
    uint64_t numbers[65536];  // by the packet's identifier
};

static void on_connect(struct mosquitto *client, void *argument, int code) {
    struct link *link = argument;
    if (code != 0) fail("connecting", mosquitto_connack_string(code));
    if (!link->subscriber) link->ready = true;
    else mosquitto_subscribe(client, 0, link->prefix, 1);
}

static void on_subscribe(struct mosquitto *client, void *argument, int id, int count, const int *granted) {
    (void)client, (void)id;
    if (count != 1 || granted[0] != 1) fail("subscribing", "the server did not grant quality of service 1");
    ((struct link *)argument)->ready = true;
}

static void on_publish(struct mosquitto *client, void *argument, int id) {
    (void)client;
    struct link *link = argument;
    link->count += 1;
    acknowledged(link->producer, link->numbers[id & 65535]);
}

static void on_message(struct mosquitto *client, void *argument, const struct mosquitto_message *message) {
    (void)client;
    struct link *link = argument;
    struct cursor cursor = cursor_over(message->payload, (size_t)message->payloadlen);
    link->count += 1;
    delivered(link->subscriber, &cursor);
}

static struct link *open_link(const struct options *options, struct producer *producer, struct subscriber *subscriber) {
    struct address address = address_of(options->requests);
    struct link *link = calloc(1, sizeof *link);
    mosquitto_lib_init();
    link->producer = producer;
    link->subscriber = subscriber;
    link->prefix = options->prefix;
    link->client = mosquitto_new(0, true, link);
    mosquitto_connect_callback_set(link->client, on_connect);
    mosquitto_subscribe_callback_set(link->client, on_subscribe);
    mosquitto_publish_callback_set(link->client, on_publish);
    mosquitto_message_callback_set(link->client, on_message);
    mosquitto_int_option(link->client, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_int_option(link->client, MOSQ_OPT_SEND_MAXIMUM, 65535);
    mosquitto_int_option(link->client, MOSQ_OPT_RECEIVE_MAXIMUM, 65535);
    int code = mosquitto_connect(link->client, address.host, address.port, 60);
    if (code != MOSQ_ERR_SUCCESS) fail(options->requests, mosquitto_strerror(code));
    while (!link->ready) {
        code = mosquitto_loop(link->client, 100, 1);
        if (code != MOSQ_ERR_SUCCESS) fail(options->requests, mosquitto_strerror(code));
    }
    return link;
}

static void *open_producer(const struct options *options, struct producer *producer) { return open_link(options, producer, 0); }

static void *open_subscriber(const struct options *options, struct subscriber *subscriber) {
    return open_link(options, 0, subscriber);
}

static bool send_message(void *argument, const char *bytes, size_t size, uint64_t number) {
    struct link *link = argument;
    int id;
    if (mosquitto_publish(link->client, &id, link->prefix, (int)size, bytes, 1, false) != MOSQ_ERR_SUCCESS) return false;
    link->numbers[id & 65535] = number;
    return true;
}

static void flush(void *argument) {
    struct link *link = argument;
    while (mosquitto_want_write(link->client)) {
        int code = mosquitto_loop_write(link->client, 1);
        if (code != MOSQ_ERR_SUCCESS) fail("sending", mosquitto_strerror(code));
    }
}

static size_t read_all(struct link *link) {
    size_t total = 0;
    do {
        link->count = 0;
        int code = mosquitto_loop_read(link->client, 64);
        if (code != MOSQ_ERR_SUCCESS) fail("receiving", mosquitto_strerror(code));
        total += link->count;
    } while (link->count > 0 && total < 256);
    flush(link);
    mosquitto_loop_misc(link->client);
    return total;
}

static size_t collect(void *link, struct producer *producer) {
    (void)producer;
    return read_all(link);
}

static size_t drain(void *link, struct subscriber *subscriber) {
    (void)subscriber;
    return read_all(link);
}

static int descriptor(void *link) { return mosquitto_socket(((struct link *)link)->client); }

static void close_link(void *argument) {
    struct link *link = argument;
    mosquitto_disconnect(link->client);
    mosquitto_destroy(link->client);
    free(link);
}

const struct transport transport = {
    .name = "mosquitto", .open_producer = open_producer, .send = send_message, .flush = flush, .collect = collect,
    .open_subscriber = open_subscriber, .drain = drain, .descriptor = descriptor,
    .close_producer = close_link, .close_subscriber = close_link,
};
