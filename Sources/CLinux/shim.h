// Calls of Linux that the Swift module Glibc leaves out.
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <time.h>

// Glibc declares it for GNU sources only.
extern int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout, const sigset_t *signals);

// prctl takes a variable number of arguments, which Swift cannot pass.

// How late the kernel may wake this thread, in nanoseconds. The default of 50 us would show in every paced latency.
static inline int linux_set_timer_slack(unsigned long nanoseconds) { return prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0); }

// This process gets the signal when the thread that started it ends, however that happens.
static inline int linux_end_with_parent(int signal) { return prctl(PR_SET_PDEATHSIG, (unsigned long)signal, 0, 0, 0); }

// A pipe whose ends no other child inherits, from the first moment on.
extern int pipe2(int ends[2], int flags);
