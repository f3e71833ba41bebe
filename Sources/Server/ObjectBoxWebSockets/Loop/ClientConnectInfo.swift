#if OBJECTBOX_WEBSOCKETS
  internal import CObjectBoxWebSockets

  /// The call that begins a client's connection.
  enum ClientConnectInfo {
    /// Returns the library's connection; nil if it failed at once.
    static func connect(
      _ context: OpaquePointer?,
      _ vhost: OpaquePointer?,
      _ attempt: ConnectAttempt,
      address: String,
      _ subprotocols: String,
      _ link: UnsafeMutableRawPointer?
    ) -> OpaquePointer? {
      address.withCString { address in
        attempt.hostHeader.withCString { host in
          attempt.path.withCString { path in
            subprotocols.withCString { subprotocols in
              "objectbox-none".withCString { local in
                "http/1.1".withCString { alpn in
                  var info = lws_client_connect_info()
                  info.context = context
                  info.vhost = vhost
                  info.address = address
                  info.port = Int32(attempt.port)
                  info.host = host
                  info.path = path
                  info.protocol = subprotocols.pointee == 0 ? nil : subprotocols
                  info.local_protocol_name = local
                  info.alpn = alpn
                  info.ssl_connection = obx_ws_no_redirect | (attempt.usesTLS ? obx_ws_tls : 0)
                  info.opaque_user_data = link
                  return lws_client_connect_via_info(&info)
                }
              }
            }
          }
        }
      }
    }
  }
#endif
