// What the load needs from the system that it measures. One system is linked into one program.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "message.h"
#include "options.h"

struct producer;
struct subscriber;

struct transport {
    const char *name;

    /// Connects. Ends the process with a message when that fails, as all of these do.
    void *(*open_producer)(const struct options *options, struct producer *producer);
    /// Takes message number `number` of this producer (from 0); false when it can take none now.
    bool (*send)(void *link, const char *bytes, size_t size, uint64_t number);
    /// Hands over what `send` has only collected, if anything.
    void (*flush)(void *link);
    /// Calls `acknowledged` or `refused` for what has arrived, without waiting. Returns how many messages it read.
    size_t (*collect)(void *link, struct producer *producer);

    /// Connects and waits until every message sent from now on would arrive.
    void *(*open_subscriber)(const struct options *options, struct subscriber *subscriber);
    /// Calls `delivered` for what has arrived, without waiting. Returns how many messages it read.
    size_t (*drain)(void *link, struct subscriber *subscriber);

    /// Becomes readable when `collect` or `drain` may find something. Both read all there is, so an edge is enough.
    int (*descriptor)(void *link);
    void (*close_producer)(void *link);
    void (*close_subscriber)(void *link);
};

extern const struct transport transport;

/// Message `number` was accepted.
void acknowledged(struct producer *producer, uint64_t number);
/// A message was refused; `text` is what the server said.
void refused(struct producer *producer, const char *text, size_t size);

/// A message reached the subscriber. What is at the cursor holds the parameters of the raise, or none after a dismissal.
void delivered(struct subscriber *subscriber, struct cursor *payload);
/// The position that the server gave the message in its stream, checked for holes. Optional.
void numbered(struct subscriber *subscriber, const char *surface, size_t size, uint64_t seq);
/// The server told the whole state again because it had dropped what was waiting.
void resynchronised(struct subscriber *subscriber);

_Noreturn void fail(const char *what, const char *why);
