#include <errno.h>
#include <string.h>

#include "bare.h"

void add_subscriber(struct bare *bare, struct request *request) {
    struct text prefix = request->surface;
    if (bare->subscriber_count == subscriber_limit) fail("subscribers", "more than the bare program can serve");
    struct subscriber *subscriber = &bare->subscribers[bare->subscriber_count];
    if (prefix.size > sizeof subscriber->prefix) fail("subscribing", "the surface's name is too long");
    zmq_msg_init(&subscriber->peer);
    zmq_msg_copy(&subscriber->peer, &request->peer);
    memcpy(subscriber->prefix, prefix.bytes, prefix.size);
    subscriber->size = prefix.size;
    bare->subscriber_count += 1;
}

void follow_observers(struct bare *bare) {
    char change[256];
    while (zmq_recv(bare->feed, change, sizeof change, ZMQ_DONTWAIT) > 0) bare->observers += change[0] == 1 ? 1 : -1;
}

static char *put(char *at, const char *bytes, size_t size) {
    memcpy(at, bytes, size);
    return at + size;
}

static char *put_text(char *at, const char *text) { return put(at, text, strlen(text)); }

static char *put_number(char *at, uint64_t value) {
    char digits[20];
    int count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    while (count > 0) *at++ = digits[--count];
    return at;
}

// Makes the message that subscribers get.
static void write_event(zmq_msg_t *event, struct request *request, uint64_t instance) {
    struct text params = request->params;
    bool shows = params.size > 0;
    char head[640], *at = put_text(head, shows ? "{\"v\":1,\"op\":\"show\",\"surface\":\"" : "{\"v\":1,\"op\":\"hide\",\"surface\":\"");
    at = put(at, request->surface.bytes, request->surface.size);
    at = put_text(at, "\",\"epoch\":1,\"seq\":");
    at = put_number(at, request->seq);
    at = put_text(at, shows ? ",\"reason\":\"raised\",\"alert\":{\"key\":\"" : ",\"reason\":\"dismissed\",\"key\":\"");
    at = put(at, request->key.bytes, request->key.size);
    at = put_text(at, "\",\"instance\":");
    at = put_number(at, instance);
    if (shows) at = put_text(at, ",\"revision\":1,\"priority\":1,");
    size_t size = (size_t)(at - head);
    zmq_msg_init_size(event, size + params.size + 1);
    at = put(zmq_msg_data(event), head, size);
    at = put(at, params.bytes, params.size);
    *at = '}';
}

static void send_to_observers(struct bare *bare, struct text surface, zmq_msg_t *event) {
    char topic[257];
    memcpy(topic, surface.bytes, surface.size);
    topic[surface.size] = '/';
    zmq_send(bare->feed, topic, surface.size + 1, ZMQ_SNDMORE | ZMQ_DONTWAIT);
    if (zmq_msg_send(event, bare->feed, ZMQ_DONTWAIT) < 0) zmq_msg_close(event);
    bare->deliveries += 1;
}

static void forget(struct bare *bare, int index) {
    zmq_msg_close(&bare->subscribers[index].peer);
    bare->subscribers[index] = bare->subscribers[--bare->subscriber_count];
}

void publish(struct bare *bare, struct request *request) {
    struct text surface = request->surface;
    if (request->seq == 0 || request->key.size > 128) return;
    zmq_msg_t event;
    write_event(&event, request, ++bare->instances);
    for (int i = 0; i < bare->subscriber_count;) {
        struct subscriber *subscriber = &bare->subscribers[i];
        if (subscriber->size > surface.size + 1 || memcmp(subscriber->prefix, surface.bytes, subscriber->size) != 0) {
            i += 1;
            continue;
        }
        zmq_msg_t peer, copy;
        zmq_msg_init(&peer);
        zmq_msg_copy(&peer, &subscriber->peer);
        if (zmq_msg_send(&peer, bare->requests, ZMQ_SNDMORE | ZMQ_DONTWAIT) < 0) {
            if (errno != EHOSTUNREACH) fail("publishing", zmq_strerror(errno));
            zmq_msg_close(&peer);
            forget(bare, i);
            continue;
        }
        zmq_msg_init(&copy);
        if (i + 1 < bare->subscriber_count || bare->observers > 0) zmq_msg_copy(&copy, &event);
        else zmq_msg_move(&copy, &event);
        if (zmq_msg_send(&copy, bare->requests, ZMQ_DONTWAIT) < 0) zmq_msg_close(&copy);
        bare->deliveries += 1;
        i += 1;
    }
    if (bare->observers > 0) send_to_observers(bare, surface, &event);
    else zmq_msg_close(&event);
}
