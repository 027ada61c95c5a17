// HOST:PORT, as the load gets it for systems other than its own.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct address {
    char host[128];
    int port;
};

static inline struct address address_of(const char *text) {
    struct address address = {.port = 0};
    const char *colon = strrchr(text, ':');
    if (!colon || (size_t)(colon - text) >= sizeof address.host || (address.port = atoi(colon + 1)) <= 0) {
        fprintf(stderr, "Load: %s is not HOST:PORT\n", text);
        exit(64);
    }
    memcpy(address.host, text, (size_t)(colon - text));
    return address;
}
