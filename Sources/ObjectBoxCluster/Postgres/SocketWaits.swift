#if os(Linux) && OBJECTBOX_LIBPQ
  internal import CObjectBoxPostgres
  internal import Foundation
  internal import ObjectBox

  /// Waits for the sockets of all connections, on one thread.
  ///
  /// The thread of a connection would be woken twice for an answer, once to wait for it; and when there are many
  /// answers, this thread wakes once for several. A class, since it owns the kernel's list of sockets. It lives as long
  /// as the process.
  final class SocketWaits: Sendable {
    /// Nil where the system has no room for the list.
    static let shared = SocketWaits()

    private static let eventCount = 64

    private let list: Int32
    /// The tasks that wait, by their sockets.
    private let waiting = Guarded<[Int32: UnsafeContinuation<Void, Never>]>([:])

    private init?() {
      list = epoll_create1(Int32(EPOLL_CLOEXEC))
      guard list >= 0 else { return nil }
      let thread = Thread { [self] in
        while true { resumeReady() }
      }
      thread.name = "ObjectBox sockets"
      thread.start()
    }

    /// Waits until a socket has something to read, or is closed by the other end.
    ///
    /// - Parameter socket: A socket that no other task waits for.
    func wait(for socket: Int32) async {
      await withUnsafeContinuation { continuation in
        waiting.withLock { $0[socket] = continuation }
        var event = epoll_event()
        // Once: the next wait asks again, and nobody else is woken by answers that are read in place.
        event.events = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue
        event.data.fd = socket
        if epoll_ctl(list, EPOLL_CTL_MOD, socket, &event) == 0 { return }
        // The first time; the system forgets sockets that are closed.
        if epoll_ctl(list, EPOLL_CTL_ADD, socket, &event) == 0 { return }
        resume([socket])
      }
      // What was done before is seen by the thread that goes on, by the lock that the thread sanitizer knows.
      waiting.withLock { _ in }
    }

    private func resumeReady() {
      withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.eventCount) { events in
        let count = epoll_wait(list, events.baseAddress, Int32(Self.eventCount), -1)
        // An interruption has none.
        if count > 0 { resume(events[..<Int(count)].lazy.map(\.data.fd)) }
      }
    }

    private func resume(_ sockets: some Sequence<Int32>) {
      let ready = waiting.withLock { waiting in
        sockets.compactMap { waiting.removeValue(forKey: $0) }
      }
      for continuation in ready { continuation.resume() }
    }
  }
#endif
