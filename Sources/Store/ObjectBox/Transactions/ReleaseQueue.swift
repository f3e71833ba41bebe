/// Releases chained objects one after the other instead of recursively.
///
/// Without it, each object of a long chain releases the next in its deinitializer, and the stack
/// overflows. Each thread has its own queue.
final class ReleaseQueue {
  private var waiting: [Any] = []
  private var isRunning = false

  /// Sets a variable to nil and releases its value, now or after the release in progress.
  static func release<T>(_ place: inout T?) {
    if place != nil { ThreadContext.current.releases.take(&place) }
  }

  private func take<T>(_ place: inout T?) {
    if let value = place { waiting.append(value) }
    place = nil
    guard !isRunning else { return }
    isRunning = true
    // The end of the body releases the value, while nothing accesses the list.
    while let value = waiting.popLast() { withExtendedLifetime(value) {} }
    waiting = []
    isRunning = false
  }
}
