#include "CSimdjson.h"

#include <cstring>
#include <memory>
#include <new>
#include <simdjson.h>

static_assert(CSIMDJSON_PADDING >= simdjson::SIMDJSON_PADDING, "the copied text must have the padding that simdjson reads");

struct csimdjson_indexer {
    std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
    std::unique_ptr<uint8_t[]> text;
    size_t capacity = 0;
};

namespace {

// Doubling keeps the number of allocations small; memory grows only as far as the largest text that came.
bool grow(csimdjson_indexer &indexer, size_t length) {
    size_t capacity = indexer.capacity == 0 ? 4096 : indexer.capacity;
    while (capacity < length) capacity *= 2;
    std::unique_ptr<uint8_t[]> text(new (std::nothrow) uint8_t[capacity + CSIMDJSON_PADDING]);
    if (!text) return false;
    std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
    // The depth is that of simdjson's second stage, which is not used here.
    if (simdjson::get_active_implementation()->create_dom_parser_implementation(capacity, 1, parser)) return false;
    indexer.parser = std::move(parser);
    indexer.text = std::move(text);
    indexer.capacity = capacity;
    return true;
}

} // namespace

csimdjson_indexer *csimdjson_create(void) { return new (std::nothrow) csimdjson_indexer; }

void csimdjson_destroy(csimdjson_indexer *indexer) { delete indexer; }

int csimdjson_index(csimdjson_indexer *indexer, const uint8_t *bytes, size_t length, const uint8_t **text,
                    const uint32_t **offsets, size_t *count) {
    if (length == 0) return simdjson::EMPTY;
    if (length > CSIMDJSON_LARGEST) return simdjson::CAPACITY;
    if (length > indexer->capacity && !grow(*indexer, length)) return simdjson::MEMALLOC;
    std::memcpy(indexer->text.get(), bytes, length);
    std::memset(indexer->text.get() + length, ' ', CSIMDJSON_PADDING);
    auto error = indexer->parser->stage1(indexer->text.get(), length, simdjson::stage1_mode::regular);
    if (error) return error;
    indexer->parser->structural_indexes[indexer->parser->n_structural_indexes] = uint32_t(length);
    *text = indexer->text.get();
    *offsets = indexer->parser->structural_indexes.get();
    *count = indexer->parser->n_structural_indexes;
    return 0;
}
