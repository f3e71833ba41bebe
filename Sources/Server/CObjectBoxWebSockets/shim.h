// libwebsockets, its macros as constants, and the creation of contexts.
#include <libwebsockets.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdbool.h>
#include <string.h>

/// The number of writable bytes that `lws_write` needs before its bytes.
static const int obx_ws_prefix = LWS_PRE;

/// The value for `secs` of `lws_set_timeout` by which the loop closes the connection, not the call itself.
static const int obx_ws_kill = LWS_TO_KILL_ASYNC;

static const int obx_ws_tls = LCCSCF_USE_SSL;
static const int obx_ws_no_redirect = LCCSCF_HTTP_NO_FOLLOW_REDIRECT;

struct obx_ws_options {
  /// The protocols, ended by an empty one; they and their names must outlive the context.
  const struct lws_protocols *protocols;
  /// The pointer that `lws_context_user` returns.
  void *user;
  /// The port; CONTEXT_PORT_NO_LISTEN for clients, and CONTEXT_PORT_NO_LISTEN_SERVER for connections that another
  /// context of the server accepts.
  ///
  /// Both are negative.
  int port;
  /// The address to listen on; NULL for all.
  const char *address;
  /// Whether the listening socket accepts only IPv4.
  bool no_ipv6;
  /// The files of the server's certificate chain and key; NULL for a server without TLS.
  const char *certificate, *key;
  /// The file of the authorities that a client trusts; NULL for the system's.
  const char *authorities;
  /// The numeric address and the port of a client's HTTP proxy; NULL for none.
  const char *proxy;
  unsigned int proxy_port;
  /// Seconds for each step of a handshake.
  unsigned int timeout_in_seconds;
  /// The size of the buffer that connections share for reading.
  unsigned int read_size;
  /// The greatest size of a request's header.
  unsigned short header_size;
  /// The greatest number of descriptors; 0 for the limit of the process.
  unsigned int descriptors;
};

/// Prepares the library; a process calls this once, before the first context.
///
/// Each initialisation of TLS changes a process-wide number by which the library finds the connection of a certificate.
/// Connections that begin at the same time would fail, so contexts are created without initialisation. The log is
/// shared by the process, and goes to the standard error stream.
static inline void obx_ws_prepare(void) {
  lws_set_log_level(0, NULL);
  struct lws_context_creation_info info;
  memset(&info, 0, sizeof info);
  info.gid = info.uid = -1;
  info.port = CONTEXT_PORT_NO_LISTEN;
  info.fd_limit_per_thread = 16;
  info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
  struct lws_context *context = lws_create_context(&info);
  if (context) lws_context_destroy(context);
}

/// Returns true if a file has certificates that a client can trust; the library only logs a failure.
static inline bool obx_ws_has_authorities(const char *path) {
  SSL_CTX *context = SSL_CTX_new(TLS_client_method());
  bool result = context && SSL_CTX_load_verify_locations(context, path, NULL) == 1;
  SSL_CTX_free(context);
  ERR_clear_error();
  return result;
}

/// Makes a client trust the certificates of a further file, in `LWS_CALLBACK_OPENSSL_LOAD_EXTRA_CLIENT_VERIFY_CERTS`.
static inline void obx_ws_trust(void *tls, const char *path) {
  SSL_CTX_load_verify_locations((SSL_CTX *)tls, path, NULL);
  ERR_clear_error();
}

/// Returns true if a certificate's file and a private key's file belong together.
static inline bool obx_ws_is_pair(const char *certificate, const char *key) {
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  bool result = context && SSL_CTX_use_certificate_chain_file(context, certificate) == 1
                && SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1
                && SSL_CTX_check_private_key(context) == 1;
  SSL_CTX_free(context);
  ERR_clear_error();
  return result;
}

/// Creates a context with one virtual host.
///
/// Returns NULL when the library refuses the options, such as a port that is in use.
static inline struct lws_context *obx_ws_create(const struct obx_ws_options *options, struct lws_vhost **vhost) {
  // The library's own pings end connections whose reading is paused. The greatest times, and validity confirmations by
  // the loop, disable them.
  static const lws_retry_bo_t policy = {.secs_since_valid_ping = 65000, .secs_since_valid_hangup = 65001};
  struct lws_context_creation_info info;
  memset(&info, 0, sizeof info);
  info.gid = info.uid = -1;
  info.port = options->port;
  info.iface = options->port < 0 ? NULL : options->address;
  info.protocols = options->protocols;
  info.user = options->user;
  info.vhost_name = "objectbox";
  info.server_string = "ObjectBox";
  // The library has no flow control for HTTP/2.
  info.alpn = "http/1.1";
  info.ssl_cert_filepath = options->certificate;
  info.ssl_private_key_filepath = options->key;
  info.http_proxy_address = options->proxy;
  info.http_proxy_port = options->proxy_port;
  // Without a file, the library would also trust the folder `../share`, relative to the process's folder.
  info.client_ssl_ca_filepath = options->authorities ? options->authorities : "/dev/null";
  info.timeout_secs = options->timeout_in_seconds;
  info.connect_timeout_secs = options->timeout_in_seconds;
  info.timeout_secs_ah_idle = options->timeout_in_seconds;
  info.pt_serv_buf_size = options->read_size;
  info.max_http_header_data = options->header_size;
  info.fd_limit_per_thread = options->descriptors;
  info.retry_and_idle_policy = &policy;
  info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND;
  if (options->no_ipv6) info.options |= LWS_SERVER_OPTION_DISABLE_IPV6;
  if (options->authorities) info.options |= LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS;
  struct lws_context *context = lws_create_context(&info);
  if (!context) return NULL;
  // In the options of a virtual host, this option only turns TLS on.
  info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
  *vhost = lws_create_vhost(context, &info);
  bool is_client = options->port == CONTEXT_PORT_NO_LISTEN;
  if (*vhost && is_client && lws_init_vhost_client_ssl(&info, *vhost)) *vhost = NULL;
  if (*vhost) return context;
  lws_context_destroy(context);
  return NULL;
}

/// The problem of a certificate, in `LWS_CALLBACK_OPENSSL_PERFORM_SERVER_CERT_VERIFICATION`.
static inline const char *obx_ws_certificate_problem(void *store) {
  return X509_verify_cert_error_string(X509_STORE_CTX_get_error((X509_STORE_CTX *)store));
}

/// Writes the SHA-256 of a server's public key, the 32 bytes of its SubjectPublicKeyInfo's hash, in
/// `LWS_CALLBACK_OPENSSL_PERFORM_SERVER_CERT_VERIFICATION`.
///
/// Returns false for the certificate of an authority.
static inline bool obx_ws_key_hash(void *store, unsigned char hash[32]) {
  X509_STORE_CTX *context = (X509_STORE_CTX *)store;
  if (X509_STORE_CTX_get_error_depth(context) != 0) return false;
  X509 *certificate = X509_STORE_CTX_get_current_cert(context);
  unsigned char *key = NULL;
  int size = certificate ? i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &key) : 0;
  bool result = size > 0 && EVP_Digest(key, (size_t)size, hash, NULL, EVP_sha256(), NULL) == 1;
  OPENSSL_free(key);
  // A key without a hash matches no pin.
  if (!result) memset(hash, 0, 32);
  return true;
}

/// The flags of a piece of a binary message.
static inline enum lws_write_protocol obx_ws_piece(bool is_first, bool is_last) {
  return (enum lws_write_protocol)lws_write_ws_flags(LWS_WRITE_BINARY, is_first, is_last);
}
