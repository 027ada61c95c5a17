// Calls of Linux that the Swift module Glibc leaves out.
#include <sys/eventfd.h>
