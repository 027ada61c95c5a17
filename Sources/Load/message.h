// The messages of the load, and finding fields in what comes back.
//
// This is not a JSON reader. It knows that the strings in the load's own messages hold no quotes, so that a field
// can be found by its name; that keeps the load light beside the server that it measures.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"

/// One surface and the producer that writes to it. `s` and `n` in the parameters say which message of which stream it is.
struct stream {
    char head[128];  // the surface and the key
    uint64_t sent;
};

void stream_open(struct stream *stream, const struct options *options, int producer, int index);

/// Writes the stream's next message. Returns its size; `room` must be at least `options->size` + 256.
size_t write_message(
    char *buffer, struct stream *stream, const struct options *options, uint64_t ref, int id, uint64_t stamp);

struct text {
    const char *bytes;
    size_t size;
};

/// Where to look for the next field. Fields are found fastest in the order in which they stand.
struct cursor {
    const char *bytes, *end, *at;
};

static inline struct cursor cursor_over(const char *bytes, size_t size) {
    return (struct cursor){bytes, bytes + size, bytes};
}

/// The text of the string field `name`, given with its quotes and colon; size 0 when there is none.
struct text string_field(struct cursor *cursor, const char *name);

/// The value of the number field `name`; false when there is none.
bool number_field(struct cursor *cursor, const char *name, uint64_t *value);

bool is(struct text text, const char *word);
uint64_t decimal(struct text text);
