/// Releases chained objects one after the other instead of recursively.
///
/// Otherwise each object of a long chain would release the next one in its deinitializer, and the stack would
/// grow with the chain.
///
/// A class, since a thread has one.
final class ReleaseQueue {
  private var waiting: [Any] = []
  private var isRunning = false

  /// Sets a variable to nil and releases its value, now or after the release in progress.
  @inline(__always)
  static func release<T>(_ place: inout T?) {
    if place != nil { ThreadContext.current.releases.take(&place) }
  }

  private func take<T>(_ place: inout T?) {
    if let value = place { waiting.append(value) }
    place = nil
    guard !isRunning else { return }
    isRunning = true
    // The value is released at the end of the body, outside of accesses to the list.
    while let value = waiting.popLast() { withExtendedLifetime(value) {} }
    waiting = []
    isRunning = false
  }
}
