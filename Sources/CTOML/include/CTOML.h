/// A TOML document as one flat list, so that Swift can read it without C++ interoperability.
///
/// The parser is toml++, which stays hidden behind this header.
#ifndef CTOML_H
#define CTOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum __attribute__((enum_extensibility(closed))) {
    CTOML_STRING,
    CTOML_INTEGER,
    CTOML_FLOAT,
    CTOML_BOOLEAN,
    /// A date, a time of day, or both.
    CTOML_TIME,
    CTOML_ARRAY,
    CTOML_TABLE
} ctoml_kind;

/// Counted from 1; columns count code points. 0 and 0 when there is no place.
typedef struct {
    uint32_t line;
    uint32_t column;
} ctoml_place;

/// UTF-8 without a terminating zero. Valid as long as the document.
typedef struct {
    const char *bytes;
    size_t length;
} ctoml_text;

typedef struct {
    ctoml_kind kind;
    /// How many children an array or table has. Their subtrees follow this node, one after the other.
    size_t children;
    /// Empty for the root and for the elements of an array.
    ctoml_text key;
    ctoml_place key_place;
    ctoml_place value_place;
    ctoml_text string;
    int64_t integer;
    double number;
    bool boolean;
} ctoml_node;

typedef struct ctoml_document ctoml_document;

/// Parses a text. Never returns NULL; free the result with `ctoml_free`.
ctoml_document *ctoml_parse(const char *bytes, size_t length);

/// Whether the text is TOML. If not, `message` and `place` say what is wrong with it.
bool ctoml_is_valid(const ctoml_document *document, ctoml_text *message, ctoml_place *place);

/// All nodes in preorder, the root table first. Keys of a table come in no promised order.
const ctoml_node *ctoml_nodes(const ctoml_document *document, size_t *count);

void ctoml_free(ctoml_document *document);

#ifdef __cplusplus
}
#endif

#endif
