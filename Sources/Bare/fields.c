#include <string.h>

#include "bare.h"

// The string after `name`; `*at` moves behind it, or stays where it is when there is none.
static struct text string_after(const char **at, const char *end, const char *name) {
    size_t length = strlen(name);
    const char *found = memmem(*at, (size_t)(end - *at), name, length);
    const char *start = found ? found + length : end;
    const char *quote = start < end ? memchr(start, '"', (size_t)(end - start)) : 0;
    if (!quote) return (struct text){"", 0};
    *at = quote + 1;
    return (struct text){start, (size_t)(quote - start)};
}

static bool is(struct text text, const char *word) {
    return text.size == strlen(word) && memcmp(text.bytes, word, text.size) == 0;
}

// Load writes the fields in this order.
void read_fields(struct request *request) {
    const char *at = zmq_msg_data(&request->body), *end = at + zmq_msg_size(&request->body);
    struct text op = string_after(&at, end, "\"op\":\"");
    request->operation = is(op, "raise")       ? operation_raise
                         : is(op, "dismiss")   ? operation_dismiss
                         : is(op, "ping")      ? operation_ping
                         : is(op, "subscribe") ? operation_subscribe
                                               : operation_other;
    request->ref = string_after(&at, end, "\"ref\":\"");
    request->surface = string_after(&at, end, "\"surface\":\"");
    request->key = string_after(&at, end, "\"key\":\"");
    const char *params = memmem(at, (size_t)(end - at), "\"params\":", 9);
    request->params = params ? (struct text){params, (size_t)(end - params)} : (struct text){"", 0};
}

uint64_t next_seq(struct text surface) {
    enum { places = 1 << 16, longest = 112 };
    static struct {
        char name[longest];
        size_t size;
        uint64_t seq;
    } table[places];
    static int used;
    if (surface.size == 0 || surface.size > longest) return 0;
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < surface.size; i++) hash = (hash ^ (unsigned char)surface.bytes[i]) * 0x100000001b3u;
    for (uint64_t i = hash % places;; i = (i + 1) % places) {
        if (table[i].size == surface.size && memcmp(table[i].name, surface.bytes, surface.size) == 0) return ++table[i].seq;
        if (table[i].size == 0) {
            if (used++ > places / 2) fail("surfaces", "more than the bare program can count");
            memcpy(table[i].name, surface.bytes, surface.size);
            table[i].size = surface.size;
            return ++table[i].seq;
        }
    }
}
