#include "histogram.h"

// Below 256 each value has a bucket; above, the seven bits after the leading one choose it.
static unsigned place(uint64_t value) {
    if (value < 256) return (unsigned)value;
    unsigned shift = 63u - (unsigned)__builtin_clzll(value) - 7u;
    unsigned index = shift * 128u + (unsigned)(value >> shift);
    return index < histogram_buckets ? index : histogram_buckets - 1;
}

static uint64_t upper_end(unsigned index) {
    if (index < 256) return index;
    unsigned shift = index / 128u - 1u;
    return ((uint64_t)(index - shift * 128u) + 1) * ((uint64_t)1 << shift) - 1;
}

void histogram_add(struct histogram *histogram, uint64_t nanoseconds) {
    histogram->bucket[place(nanoseconds)] += 1;
    histogram->count += 1;
    if (nanoseconds > histogram->largest) histogram->largest = nanoseconds;
}

void histogram_merge(struct histogram *into, const struct histogram *from) {
    for (unsigned i = 0; i < histogram_buckets; i++) into->bucket[i] += from->bucket[i];
    into->count += from->count;
    if (from->largest > into->largest) into->largest = from->largest;
}

uint64_t histogram_value(const struct histogram *histogram, double part) {
    double wanted = part * (double)histogram->count;
    uint64_t seen = 0;
    for (unsigned i = 0; i < histogram_buckets; i++) {
        seen += histogram->bucket[i];
        if (seen > 0 && (double)seen >= wanted) {
            return upper_end(i) < histogram->largest ? upper_end(i) : histogram->largest;
        }
    }
    return histogram->largest;
}
