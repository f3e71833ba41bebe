// libpq, the client library of PostgreSQL. Debian has its headers in a separate folder.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif
// Waits for many connections on one thread.
#if defined(__linux__)
#include <sys/epoll.h>
#endif
