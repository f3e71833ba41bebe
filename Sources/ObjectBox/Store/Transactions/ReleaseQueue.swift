/// Ends objects one after the other that would otherwise end inside of one another.
///
/// When the last reference to the first object of a long chain goes, each object would release the next
/// while it ends itself, and the stack would grow with the chain.
///
/// A class, since a thread has one.
final class ReleaseQueue {
  private var waiting: [Any] = []
  private var isRunning = false

  /// Takes a value out of its place and releases it, now or as soon as the release that is under way has
  /// ended.
  static func release<T>(_ place: inout T?) {
    guard place != nil else { return }
    ThreadContext.current.releases.take(&place)
  }

  private func take<T>(_ place: inout T?) {
    if let value = place { waiting.append(value) }
    place = nil
    guard !isRunning else { return }
    isRunning = true
    // The value ends with the body, when nothing touches the list.
    while let value = waiting.popLast() { withExtendedLifetime(value) {} }
    waiting = []
    isRunning = false
  }
}
