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

  /// Lets signals be checked for from now on.
  static func install() {
    // Made before a signal can come, since a handler must not make it.
    _ = isRequested.load(ordering: .relaxed)
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = { _ in Interruption.request() }
    #else
      action.__sigaction_handler.sa_handler = { _ in Interruption.request() }
    #endif
    // A second signal ends the process at once; calls that wait return early.
    action.sa_flags = Int32(truncatingIfNeeded: SA_RESETHAND)
    for signal in [SIGINT, SIGTERM, SIGHUP] { _ = sigaction(signal, &action, nil) }
    // A reader of standard output that has gone is an error of the write.
    _ = signal(SIGPIPE, SIG_IGN)
  }

  private static func request() { isRequested.store(true, ordering: .relaxed) }

  /// Throws ``Requested`` after a signal.
  static func check() throws {
    if isRequested.load(ordering: .relaxed) { throw Requested() }
  }
}
