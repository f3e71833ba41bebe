#if OBJECTBOX_HTTP
  internal import Foundation
  internal import ObjectBox

  /// The connections that have asked nothing, or whose request is not whole, the longest idle first.
  ///
  /// A class, since the threads of all connections share it.
  final class IdleConnections: Sendable {
    private struct Connection: Sendable {
      /// The address of the library's structure.
      var key: UInt
      var socket: Int32
    }

    private let maximumCount: Int
    private let waiting = Guarded<[Connection]>([])

    /// - Parameter maximumCount: How many may wait at the same time.
    init(maximumCount: Int) {
      self.maximumCount = maximumCount
    }

    /// Adds a connection that begins to wait.
    ///
    /// Of too many, the one that has waited the longest is closed.
    func add(_ connection: OpaquePointer, socket: Int32) {
      let key = UInt(bitPattern: connection)
      waiting.withLock { waiting in
        waiting.removeAll { $0.key == key }
        waiting.append(Connection(key: key, socket: socket))
        guard waiting.count > maximumCount else { return }
        // Its thread reads the end, and closes it. Under the lock: until `remove` returns, no other socket has the
        // number.
        _ = shutdown(waiting.removeFirst().socket, Int32(SHUT_RDWR))
      }
    }

    /// Removes a connection that has a whole request, or is closed.
    func remove(_ connection: OpaquePointer) {
      let key = UInt(bitPattern: connection)
      waiting.withLock { waiting in waiting.removeAll { $0.key == key } }
    }
  }
#endif
