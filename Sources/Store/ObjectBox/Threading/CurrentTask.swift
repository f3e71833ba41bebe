/// The identity of the task that the caller runs in.
///
/// A later task may have the same identity as a task that has ended.
package struct CurrentTask: Hashable, Sendable {
  private let address: UInt

  /// Makes the identity of the calling task; nil outside of tasks.
  package init?() {
    // Safe: the value is a reference to the task, and only its bits are used.
    let address = withUnsafeCurrentTask { task in task.map { unsafeBitCast($0, to: UInt.self) } }
    guard let address else { return nil }
    self.address = address
  }

  /// The task as a key, together with keys of actors, queues and threads; no living object has the
  /// same key.
  package var key: ObjectIdentifier { unsafeBitCast(address, to: ObjectIdentifier.self) }
}
