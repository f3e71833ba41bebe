package import Dispatch
import ObjectBox

/// A serial queue, and the values that a handler got on it.
package final class Recorder<Value: Sendable>: Sendable {
  package let queue = DispatchQueue(label: "recorder")
  private let calls = Guarded<[Value]>([])

  package init() {}

  package func note(_ value: Value) { calls.withLock { $0.append(value) } }

  /// The values so far: a commit enqueues its calls before it returns.
  package var values: [Value] {
    queue.sync {}
    return calls.withLock { $0 }
  }
}
