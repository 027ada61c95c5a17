// The bare program: what the arbiter does with sockets and disk, without deciding anything.
//
// It takes whatever has arrived, writes it to a file if asked to, publishes each message and then acknowledges each:
// the floor that the arbiter is measured against. It is no JSON reader and no arbiter. It knows the messages of Load
// by where their fields stand, checks nothing, and repeats the parameters to the subscribers.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zmq.h>

enum { batch_limit = 1024, subscriber_limit = 64 };

/// Mistakes on purpose, to show that Load finds them.
enum fault { fault_none, fault_drop, fault_swap, fault_double };

struct text {
    const char *bytes;
    size_t size;
};

enum operation { operation_other, operation_raise, operation_dismiss, operation_ping, operation_subscribe };

struct request {
    zmq_msg_t peer, body;
    bool delimited;  // a REQ socket sent it
    enum operation operation;
    struct text ref, surface, key, params;  // within the body; params reach to its end
    uint64_t seq;
};

struct subscriber {
    zmq_msg_t peer;
    char prefix[256];
    size_t size;
};

struct bare {
    void *requests, *feed;
    int journal;  // -1 for none
    char *record;
    size_t room;
    enum fault fault;

    struct request batch[batch_limit];
    struct subscriber subscribers[subscriber_limit];
    int subscriber_count, observers;

    uint64_t messages, batches, deliveries, instances;
};

_Noreturn void fail(const char *what, const char *why);

/// Takes up to `batch_limit` requests without waiting. Returns how many.
int drain(struct bare *bare);

/// Writes the batch with one write, and waits until it is on the disk.
void journal(struct bare *bare, int count);

/// Publishes one raise or dismissal to the subscribers of its surface.
void publish(struct bare *bare, struct request *request);

/// The same with a mistake every thousandth time.
void publish_with_fault(struct bare *bare, struct request *request);

/// Answers one request.
void reply(struct bare *bare, struct request *request);

/// Reads which observers have come to the feed and gone.
void follow_observers(struct bare *bare);

void add_subscriber(struct bare *bare, struct request *request);

/// Finds the fields of the request's body.
void read_fields(struct request *request);

/// The next number in this surface's stream, from 1.
uint64_t next_seq(struct text surface);
