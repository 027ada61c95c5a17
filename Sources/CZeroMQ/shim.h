#include <zmq.h>
// What threads wake a poller with; the Glibc module leaves it out.
#include <sys/eventfd.h>
