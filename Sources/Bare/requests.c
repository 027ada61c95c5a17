#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bare.h"

int drain(struct bare *bare) {
    int count = 0;
    while (count < batch_limit) {
        struct request *request = &bare->batch[count];
        if (zmq_msg_recv(&request->peer, bare->requests, ZMQ_DONTWAIT) < 0) break;
        int frames = 0;
        do {
            if (zmq_msg_recv(&request->body, bare->requests, 0) < 0) fail("receiving", zmq_strerror(errno));
            frames += 1;
        } while (zmq_msg_more(&request->body));
        request->delimited = frames > 1;
        read_fields(request);
        count += 1;
    }
    return count;
}

void journal(struct bare *bare, int count) {
    size_t size = 0;
    for (int i = 0; i < count; i++) size += sizeof(uint32_t) + zmq_msg_size(&bare->batch[i].body);
    if (size > bare->room) {
        bare->room = size * 2;
        bare->record = realloc(bare->record, bare->room);
        if (!bare->record) fail("memory", strerror(errno));
    }
    char *at = bare->record;
    for (int i = 0; i < count; i++) {
        uint32_t length = (uint32_t)zmq_msg_size(&bare->batch[i].body);
        memcpy(at, &length, sizeof length);
        memcpy(at + sizeof length, zmq_msg_data(&bare->batch[i].body), length);
        at += sizeof length + length;
    }
    ssize_t written = write(bare->journal, bare->record, size);
    if (written != (ssize_t)size) fail("writing the journal", written < 0 ? strerror(errno) : "the disk took only a part");
    if (fdatasync(bare->journal) != 0) fail("syncing the journal", strerror(errno));
}

// Sends `start`, the request's ref, `rest`, `middle` and `end` as one message.
static void answer(
    struct bare *bare, struct request *request, const char *start, const char *rest, struct text middle, const char *end
) {
    size_t sizes[] = {strlen(start), request->ref.size, strlen(rest), middle.size, strlen(end)};
    const char *parts[] = {start, request->ref.bytes, rest, middle.bytes, end};
    char buffer[512], *at = buffer;
    for (int i = 0; i < 5; i++) {
        if ((size_t)(buffer + sizeof buffer - at) < sizes[i]) return;
        memcpy(at, parts[i], sizes[i]);
        at += sizes[i];
    }
    // A peer that has gone is no error: its answer goes nowhere.
    if (zmq_msg_send(&request->peer, bare->requests, ZMQ_SNDMORE | ZMQ_DONTWAIT) < 0) return;
    if (request->delimited) zmq_send(bare->requests, "", 0, ZMQ_SNDMORE | ZMQ_DONTWAIT);
    zmq_send(bare->requests, buffer, (size_t)(at - buffer), ZMQ_DONTWAIT);
}

void reply(struct bare *bare, struct request *request) {
    static const struct text none = {"", 0};
    switch (request->operation) {
    case operation_raise:
        answer(bare, request, "{\"v\":1,\"op\":\"accepted\",\"ref\":\"", "\",\"surface\":\"", request->surface,
               "\",\"key\":\"a\",\"instance\":1,\"revision\":1,\"state\":\"shown\"}");
        break;
    case operation_dismiss: answer(bare, request, "{\"v\":1,\"op\":\"done\",\"ref\":\"", "\"}", none, ""); break;
    case operation_ping:
        answer(bare, request, "{\"v\":1,\"op\":\"pong\",\"ref\":\"", "\",\"epoch\":1,\"session\":1,\"surfaces\":[]}", none, "");
        break;
    case operation_subscribe:
        add_subscriber(bare, request);
        answer(bare, request, "{\"v\":1,\"op\":\"snapshot\",\"ref\":\"", "\",\"epoch\":1,\"surfaces\":[],\"last\":true}", none, "");
        break;
    case operation_other:
        answer(bare, request, "{\"v\":1,\"op\":\"refused\",\"ref\":\"",
               "\",\"reason\":\"unsupported\",\"message\":\"the bare program knows raise, dismiss, ping and subscribe\"}", none, "");
    }
}
