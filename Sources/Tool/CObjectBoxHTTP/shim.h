// libmicrohttpd, and wrappers of its variadic functions, which Swift does not import.
#include <microhttpd.h>
#include <netinet/in.h>

/// Starts a server with a thread for each connection; the address is one of IPv4 or IPv6.
static inline struct MHD_Daemon *obx_http_start(
    const struct sockaddr *address, unsigned int connections, unsigned int timeout_in_seconds,
    MHD_AccessHandlerCallback answer, MHD_RequestCompletedCallback end, MHD_NotifyConnectionCallback connect,
    void *context) {
  return MHD_start_daemon(
      MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION
          | (address->sa_family == AF_INET6 ? MHD_USE_IPv6 : 0),
      0, NULL, NULL, answer, context,
      MHD_OPTION_SOCK_ADDR, address,
      MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_TIMEOUT, timeout_in_seconds,
      MHD_OPTION_NOTIFY_COMPLETED, end, context,
      MHD_OPTION_NOTIFY_CONNECTION, connect, context,
      MHD_OPTION_END);
}

/// The socket of a connection; -1 when it is unknown.
static inline int obx_http_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *information = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return information ? information->connect_fd : -1;
}

/// The port that a server listens on; 0 when it is unknown.
static inline uint16_t obx_http_port(struct MHD_Daemon *server) {
  const union MHD_DaemonInfo *information = MHD_get_daemon_info(server, MHD_DAEMON_INFO_BIND_PORT);
  return information ? information->port : 0;
}
