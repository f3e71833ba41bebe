/// The identity of the task that the caller runs in.
///
/// A later task may have the identity of one that has ended.
package struct CurrentTask: Hashable, Sendable {
  private let address: UInt

  /// The calling task; nil outside of tasks.
  package init?() {
    // The value consists of the reference to the task, which is not followed.
    let address = withUnsafeCurrentTask { task in task.map { unsafeBitCast($0, to: UInt.self) } }
    guard let address else { return nil }
    self.address = address
  }

  /// The task as a key beside those of actors, queues and threads; no object that is alive has the same.
  package var key: ObjectIdentifier { unsafeBitCast(address, to: ObjectIdentifier.self) }
}
