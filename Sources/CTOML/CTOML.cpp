#include "CTOML.h"

#include <string>
#include <string_view>
#include <vector>

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

struct ctoml_document {
    toml::parse_result result;
    std::string message;
    std::vector<ctoml_node> nodes;
};

namespace {

ctoml_text text(std::string_view view) { return {view.data(), view.size()}; }

ctoml_place place(const toml::source_region &region) {
    return {static_cast<uint32_t>(region.begin.line), static_cast<uint32_t>(region.begin.column)};
}

void append(std::vector<ctoml_node> &nodes, const toml::key *key, const toml::node &node) {
    ctoml_node flat{};
    if (key) {
        flat.key = text(key->str());
        flat.key_place = place(key->source());
    }
    flat.value_place = place(node.source());
    if (auto *table = node.as_table()) {
        flat.kind = CTOML_TABLE;
        flat.children = table->size();
        nodes.push_back(flat);
        for (auto &&[name, child] : *table) append(nodes, &name, child);
        return;
    }
    if (auto *array = node.as_array()) {
        flat.kind = CTOML_ARRAY;
        flat.children = array->size();
        nodes.push_back(flat);
        for (auto &&child : *array) append(nodes, nullptr, child);
        return;
    }
    if (auto *string = node.as_string()) {
        flat.kind = CTOML_STRING;
        flat.string = text(string->get());
    } else if (auto *integer = node.as_integer()) {
        flat.kind = CTOML_INTEGER;
        flat.integer = integer->get();
    } else if (auto *number = node.as_floating_point()) {
        flat.kind = CTOML_FLOAT;
        flat.number = number->get();
    } else if (auto *boolean = node.as_boolean()) {
        flat.kind = CTOML_BOOLEAN;
        flat.boolean = boolean->get();
    } else {
        flat.kind = CTOML_TIME;
    }
    nodes.push_back(flat);
}

} // namespace

ctoml_document *ctoml_parse(const char *bytes, size_t length) {
    auto *document = new ctoml_document{toml::parse(std::string_view(bytes, length)), {}, {}};
    if (document->result) {
        append(document->nodes, nullptr, document->result.table());
    } else {
        document->message = document->result.error().description();
    }
    return document;
}

bool ctoml_is_valid(const ctoml_document *document, ctoml_text *message, ctoml_place *at) {
    if (document->result) return true;
    *message = text(document->message);
    *at = place(document->result.error().source());
    return false;
}

const ctoml_node *ctoml_nodes(const ctoml_document *document, size_t *count) {
    *count = document->nodes.size();
    return document->nodes.data();
}

void ctoml_free(ctoml_document *document) { delete document; }
