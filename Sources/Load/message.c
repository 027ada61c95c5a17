#include "message.h"

#include <stdio.h>
#include <string.h>

void stream_open(struct stream *stream, const struct options *options, int producer, int index) {
    snprintf(stream->head, sizeof stream->head, "\",\"surface\":\"%s/%d/%d\",\"key\":\"a", options->prefix, producer, index);
    stream->sent = 0;
}

static char *put(char *at, const char *text) {
    size_t size = strlen(text);
    memcpy(at, text, size);
    return at + size;
}

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

size_t write_message(
    char *buffer, struct stream *stream, const struct options *options, uint64_t ref, int id, uint64_t stamp
) {
    uint64_t number = stream->sent++;
    bool dismisses = options->mix == mix_show && number % 2 == 1;
    char *at = put(buffer, "{\"v\":1,\"op\":\"");
    at = put(at, dismisses ? "dismiss" : "raise");
    at = put(at, "\",\"ref\":\"");
    at = put_number(at, ref);
    at = put(at, stream->head);
    if (options->mix == mix_show) at = put_number(at, number / 2);
    if (dismisses) return (size_t)(put(at, "\"}") - buffer);
    at = put(at, options->mix == mix_show ? "\",\"intercept\":false" : "\",\"update\":true");
    at = put(at, ",\"params\":{\"s\":");
    at = put_number(at, (uint64_t)id);
    at = put(at, ",\"n\":");
    at = put_number(at, options->mix == mix_show ? number / 2 : number);
    at = put(at, ",\"t\":");
    at = put_number(at, stamp);
    at = put(at, ",\"pad\":\"");
    long pad = (long)options->size - (at - buffer) - 3;
    if (pad > 0) {
        memset(at, 'x', (size_t)pad);
        at += pad;
    }
    return (size_t)(put(at, "\"}}") - buffer);
}

// The byte after the field's name, looked for from the cursor on, then before it.
static const char *value_of(struct cursor *cursor, const char *name) {
    size_t length = strlen(name);
    const char *found = memmem(cursor->at, (size_t)(cursor->end - cursor->at), name, length);
    if (!found) found = memmem(cursor->bytes, (size_t)(cursor->end - cursor->bytes), name, length);
    if (!found) return 0;
    cursor->at = found + length;
    return cursor->at;
}

struct text string_field(struct cursor *cursor, const char *name) {
    const char *start = value_of(cursor, name);
    if (!start || start == cursor->end) return (struct text){"", 0};
    const char *end = memchr(start + 1, '"', (size_t)(cursor->end - start - 1));
    if (!end) return (struct text){"", 0};
    cursor->at = end + 1;
    return (struct text){start + 1, (size_t)(end - start - 1)};
}

bool number_field(struct cursor *cursor, const char *name, uint64_t *value) {
    const char *start = value_of(cursor, name), *at = start;
    if (!start) return false;
    *value = 0;
    for (; at < cursor->end && *at >= '0' && *at <= '9'; at++) *value = *value * 10 + (uint64_t)(*at - '0');
    cursor->at = at;
    return at > start;
}

bool is(struct text text, const char *word) {
    return text.size == strlen(word) && memcmp(text.bytes, word, text.size) == 0;
}

uint64_t decimal(struct text text) {
    uint64_t value = 0;
    for (size_t i = 0; i < text.size; i++) value = value * 10 + (uint64_t)(text.bytes[i] - '0');
    return value;
}
