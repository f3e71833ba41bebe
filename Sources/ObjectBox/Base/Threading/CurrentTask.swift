/// Names the task that the caller runs in.
///
/// A task that has ended may have had the name of one that begins later.
struct CurrentTask: Hashable, Sendable {
  private let address: UInt

  /// Names the calling task; nil outside of tasks.
  init?() {
    // The reference to the task is all that is in the value, and is not followed.
    let address = withUnsafeCurrentTask { task in task.map { unsafeBitCast($0, to: UInt.self) } }
    guard let address else { return nil }
    self.address = address
  }

  /// The task as a key beside those of actors, queues and threads; no object that is alive has the same.
  var key: ObjectIdentifier { unsafeBitCast(address, to: ObjectIdentifier.self) }
}
