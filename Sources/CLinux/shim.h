// Calls of Linux that the Swift module Glibc leaves out.
#include <malloc.h>
#include <sys/eventfd.h>
