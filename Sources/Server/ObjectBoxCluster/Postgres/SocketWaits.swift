#if os(Linux) && OBJECTBOX_LIBPQ
  internal import CObjectBoxPostgres
  internal import Foundation
  internal import ObjectBox

  /// Waits for the sockets of all connections on one thread, which also reads their answers.
  ///
  /// Owns the kernel's list of sockets, and lives as long as the process.
  final class SocketWaits: Sendable {
    typealias Reading = @Sendable () -> Void

    /// Nil when the system cannot create the list.
    static let shared = SocketWaits()

    private static let eventCount = 64

    private let list: Int32
    /// Pending work, by socket.
    private let waiting = Guarded<[Int32: Reading]>([:])

    private init?() {
      list = epoll_create1(Int32(EPOLL_CLOEXEC))
      guard list >= 0 else { return nil }
      let thread = Thread { [self] in
        while true { readReady() }
      }
      thread.name = "ObjectBox sockets"
      thread.start()
    }

    /// Runs work once a socket has input, or is closed by the other end.
    ///
    /// - Parameters:
    ///   - socket: A socket without pending work.
    ///   - reading: Reads without waiting.
    func wait(for socket: Int32, _ reading: @escaping Reading) {
      waiting.withLock { $0[socket] = reading }
      var event = epoll_event()
      // One event only: each wait registers again, and answers that are read in place wake no thread.
      event.events = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue
      event.data.fd = socket
      if epoll_ctl(list, EPOLL_CTL_MOD, socket, &event) == 0 { return }
      // The first wait on this socket; the system forgets closed sockets.
      if epoll_ctl(list, EPOLL_CTL_ADD, socket, &event) == 0 { return }
      read(socket)
    }

    private func readReady() {
      withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.eventCount) { events in
        let count = epoll_wait(list, events.baseAddress, Int32(Self.eventCount), -1)
        // An interrupted wait has no events.
        guard count > 0 else { return }
        for event in events[..<Int(count)] { read(event.data.fd) }
      }
    }

    private func read(_ socket: Int32) {
      let reading = waiting.withLock { $0.removeValue(forKey: socket) }
      reading?()
    }
  }
#endif
