#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// simdjson's first stage, with the memory that it needs, to be used again for every text.
typedef struct csimdjson_indexer csimdjson_indexer;

/// The largest text that `csimdjson_index` takes, in bytes.
#define CSIMDJSON_LARGEST ((size_t)1 << 30)

/// Bytes after the end of the copied text that may be read. They are spaces.
#define CSIMDJSON_PADDING 64

/// Returns NULL when there is no memory.
csimdjson_indexer *csimdjson_create(void);
void csimdjson_destroy(csimdjson_indexer *indexer);

/// Copies a text into padded memory and finds where each of its tokens begins.
///
/// Returns 0, or simdjson's error code: the text is not UTF-8, a string does not end or holds a control character, the
/// text is empty or larger than `CSIMDJSON_LARGEST`, or there is no memory. `text`, and `offsets` with `count` + 1
/// entries (the last one is the length), stay valid until the next call. The grammar is not checked.
int csimdjson_index(csimdjson_indexer *indexer, const uint8_t *bytes, size_t length, const uint8_t **text,
                    const uint32_t **offsets, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
