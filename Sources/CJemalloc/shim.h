// jemalloc stands in for the C library's malloc in the program that links it; nothing is called by name.
// Its own header declares malloc anew and clashes with the C library's.
