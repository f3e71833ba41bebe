internal import Foundation
internal import Synchronization

/// Signals that ask the tool to end; it ends at its next check, so that nothing stays half done.
///
/// A process that ends at once would leave its reader slot in the store's lock file. The pages of
/// its version would then be kept until another process frees the slot.
package enum Interruption {
  /// Thrown when the work must end early.
  package struct Requested: Error {}

  private static let isRequested = Atomic<Bool>(false)
  /// The read end of a pipe that signals write to, so that no wait misses a signal; negative before
  /// `install`.
  private static let wakingEnd = Atomic<Int32>(-1)
  /// The write end of the pipe.
  private static let writingEnd = Atomic<Int32>(-1)

  /// Installs the signal handlers.
  static func install() {
    var ends: [Int32] = [-1, -1]
    // Set before a signal can arrive: a handler must not initialize a global variable.
    if wakingEnd.load(ordering: .relaxed) < 0, pipe(&ends) == 0 {
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      writingEnd.store(ends[1], ordering: .relaxed)
      wakingEnd.store(ends[0], ordering: .relaxed)
    }
    isRequested.store(false, ordering: .relaxed)
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = { _ in Interruption.request() }
    #else
      action.__sigaction_handler.sa_handler = { _ in Interruption.request() }
    #endif
    // A second signal ends the process at once.
    action.sa_flags = Int32(truncatingIfNeeded: SA_RESETHAND)
    // The parent's thread may have blocked signals.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      _ = sigaction(signal, &action, nil)
      sigaddset(&signals, signal)
    }
    _ = sigprocmask(SIG_UNBLOCK, &signals, nil)
    // If the reader of standard output is gone, the write fails instead.
    _ = signal(SIGPIPE, SIG_IGN)
  }

  private static func request() {
    isRequested.store(true, ordering: .relaxed)
    var byte: UInt8 = 0
    _ = write(writingEnd.load(ordering: .relaxed), &byte, 1)
  }

  /// Waits until a descriptor is readable; throws ``Requested`` after a signal.
  static func wait(for descriptor: Int32) throws {
    let waking = wakingEnd.load(ordering: .relaxed)
    var descriptors = [descriptor, waking].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // A negative descriptor is ignored. Reading reports any other condition.
    _ = poll(&descriptors, 2, -1)
    try check()
  }

  /// Waits for a time; throws ``Requested`` at once after a signal.
  static func wait(milliseconds: Int32) throws {
    var waking = pollfd(
      fd: wakingEnd.load(ordering: .relaxed),
      events: Int16(POLLIN),
      revents: 0
    )
    _ = poll(&waking, 1, milliseconds)
    try check()
  }

  /// Throws ``Requested`` after a signal.
  static func check() throws {
    if isRequested.load(ordering: .relaxed) { throw Requested() }
  }
}
