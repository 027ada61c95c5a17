// Counts durations in buckets that grow with the value: 128 to each power of two, so a percentile is at most 0.8 % too high.
#pragma once
#include <stdint.h>

enum { histogram_buckets = 128 * 42 };  // up to 2^48 ns, about 78 hours

struct histogram {
    uint64_t count, largest;
    uint64_t bucket[histogram_buckets];
};

void histogram_add(struct histogram *histogram, uint64_t nanoseconds);
void histogram_merge(struct histogram *into, const struct histogram *from);

/// The value that `part` (0 to 1) of all values do not exceed; 0 when there are none.
uint64_t histogram_value(const struct histogram *histogram, double part);
