#if OBJECTBOX_WEBSOCKETS
  internal import CObjectBoxWebSockets
  internal import Foundation

  /// The subprotocols of a context, in memory that the library may keep.
  ///
  /// A class, since the memory must be freed after the context.
  final class ProtocolTable {
    let protocols: UnsafeMutablePointer<lws_protocols>
    private let names: [UnsafeMutablePointer<CChar>]

    init(_ names: [String]) {
      self.names = names.compactMap { strdup($0) }
      protocols = .allocate(capacity: self.names.count + 1)
      protocols.initialize(repeating: lws_protocols(), count: self.names.count + 1)
      for (index, name) in self.names.enumerated() {
        protocols[index].name = UnsafePointer(name)
        protocols[index].callback = serviceCallback
        // Each connection has a buffer of this size.
        protocols[index].rx_buffer_size = 4096
        protocols[index].tx_packet_size = ServiceLoop.pieceSize
      }
    }

    deinit {
      protocols.deallocate()
      names.forEach { free($0) }
    }
  }
#endif
