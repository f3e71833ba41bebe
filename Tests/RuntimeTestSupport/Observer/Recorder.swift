package import Dispatch
import ObjectBox

/// A serial queue with the calls that a handler got on it.
///
/// A class, since the handler and the test share it.
package final class Recorder<Value: Sendable>: Sendable {
  package let queue = DispatchQueue(label: "recorder")
  private let calls = Guarded<[Value]>([])

  package init() {}

  package func note(_ value: Value) { calls.withLock { $0.append(value) } }

  /// The values so far: a commit asks for its calls before it returns, so all of them stand in the queue.
  package var values: [Value] {
    queue.sync {}
    return calls.withLock { $0 }
  }
}
