#ifndef ALERTBUS_CMICROHTTPD_SHIM_H
#define ALERTBUS_CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <stdarg.h>
#include <stdio.h>

// What Swift cannot say by itself: variadic functions, a va_list callback, and an enumeration that starts at -1.

struct alertbus_http_log {
    void (*line)(void *context, const char *text);
    void *context;
};

static inline void alertbus_http_log_forward(void *log, const char *format, va_list arguments) {
    struct alertbus_http_log *target = (struct alertbus_http_log *)log;
    char text[512];
    vsnprintf(text, sizeof text, format, arguments);
    target->line(target->context, text);
}

struct alertbus_http_setup {
    const struct sockaddr *address;
    int is_ipv6;
    unsigned int connections;
    unsigned int timeout_seconds;
    size_t memory_per_connection;
    MHD_AccessHandlerCallback handler;
    MHD_RequestCompletedCallback completed;
    void *context;
    struct alertbus_http_log *log;
};

static inline struct MHD_Daemon *alertbus_http_start(const struct alertbus_http_setup *s) {
    unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
    if (s->is_ipv6) flags |= MHD_USE_IPv6;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, s->handler, s->context,
        MHD_OPTION_EXTERNAL_LOGGER, alertbus_http_log_forward, s->log,
        MHD_OPTION_SOCK_ADDR, s->address,
        MHD_OPTION_CONNECTION_LIMIT, s->connections,
        MHD_OPTION_CONNECTION_TIMEOUT, s->timeout_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, s->memory_per_connection,
        MHD_OPTION_NOTIFY_COMPLETED, s->completed, s->context,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_END);
}

static inline unsigned int alertbus_http_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

static inline int alertbus_http_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

#endif
