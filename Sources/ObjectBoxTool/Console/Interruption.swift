internal import Foundation
internal import Synchronization

/// The signals that ask the tool to end, which it does at the next check, so that nothing is left half.
///
/// A process that ended at once would leave its reader slot in the store's lock file, and the pages of its version
/// would be kept until another process frees the slot.
package enum Interruption {
  /// Thrown when the work has to end early.
  package struct Requested: Error {}

  private static let isRequested = Atomic<Bool>(false)
  /// The end of a pipe that a signal makes readable, so that no wait misses one; negative before `install`.
  private static let wakingEnd = Atomic<Int32>(-1)
  /// The other end of that pipe.
  private static let writingEnd = Atomic<Int32>(-1)

  /// Lets signals be checked for from now on.
  static func install() {
    var ends: [Int32] = [-1, -1]
    // Set before a signal can come, since a handler must not make a global variable.
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
    // The parent may have started this process in a thread that blocks signals.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      _ = sigaction(signal, &action, nil)
      sigaddset(&signals, signal)
    }
    _ = sigprocmask(SIG_UNBLOCK, &signals, nil)
    // A reader of standard output that has gone is an error of the write.
    _ = signal(SIGPIPE, SIG_IGN)
  }

  private static func request() {
    isRequested.store(true, ordering: .relaxed)
    var byte: UInt8 = 0
    _ = write(writingEnd.load(ordering: .relaxed), &byte, 1)
  }

  /// Waits until a descriptor can be read; throws ``Requested`` after a signal.
  static func wait(for descriptor: Int32) throws {
    let waking = wakingEnd.load(ordering: .relaxed)
    var descriptors = [descriptor, waking].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // A negative descriptor is left out. Whatever else happens, reading tells it.
    _ = poll(&descriptors, 2, -1)
    try check()
  }

  /// Lets a time pass; throws ``Requested`` after a signal, at once.
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
