#include <string.h>

#include "bare.h"

enum { period = 1000 };

static bool same(struct text a, struct text b) { return a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0; }

void publish_with_fault(struct bare *bare, struct request *request) {
    static struct request held;
    static bool holds;
    bool now = bare->messages % period == 0;
    if (now && bare->fault == fault_drop) return;
    if (now && bare->fault == fault_swap && !holds) {
        held = *request;
        zmq_msg_init(&held.body);
        zmq_msg_copy(&held.body, &request->body);
        read_fields(&held);
        holds = true;
        return;
    }
    publish(bare, request);
    if (now && bare->fault == fault_double) publish(bare, request);
    // Only a message of the same surface can be overtaken: the order among surfaces means nothing.
    if (holds && same(held.surface, request->surface)) {
        publish(bare, &held);
        zmq_msg_close(&held.body);
        holds = false;
    }
}
