#if OBJECTBOX_HTTP
  internal import Foundation
  internal import ObjectBox

  /// The connections without a complete request, the longest idle first; shared by all connections'
  /// threads.
  final class IdleConnections: Sendable {
    private struct Connection: Sendable {
      /// The address of the library's structure.
      var key: UInt
      var socket: Int32
    }

    private let maximumCount: Int
    private let waiting = Guarded<[Connection]>([])

    /// - Parameter maximumCount: The greatest number of idle connections.
    init(maximumCount: Int) {
      self.maximumCount = maximumCount
    }

    /// Adds a connection that begins to wait.
    ///
    /// Beyond the limit, closes the connection that has waited longest.
    func add(_ connection: OpaquePointer, socket: Int32) {
      let key = UInt(bitPattern: connection)
      waiting.withLock { waiting in
        waiting.removeAll { $0.key == key }
        waiting.append(Connection(key: key, socket: socket))
        guard waiting.count > maximumCount else { return }
        // Its thread sees the end and closes it. This needs the lock: until `remove` returns, no
        // other socket can have the same number.
        _ = shutdown(waiting.removeFirst().socket, Int32(SHUT_RDWR))
      }
    }

    /// Removes a connection that has a complete request or is closed.
    func remove(_ connection: OpaquePointer) {
      let key = UInt(bitPattern: connection)
      waiting.withLock { waiting in waiting.removeAll { $0.key == key } }
    }
  }
#endif
