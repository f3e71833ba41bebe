internal import ObjectBoxStorage
internal import Synchronization

/// Keeps the last written state of an index, so that it is not decoded again.
///
/// Most commits begin with the state that the previous commit has written. A state is recognized by its bytes, so
/// transactions that end without a commit and other programs cause no errors.
package final class FullTextStateMemory: Sendable {
  private let known = Mutex<(bytes: [UInt8], state: IndexState)?>(nil)

  package init() {}

  /// Returns the state with the given bytes, and forgets it, so that the caller changes it without a copy.
  func take(_ value: UnsafeRawBufferPointer) throws(FullTextError) -> IndexState {
    let state: IndexState? = known.withLock { known in
      guard let found = known,
        found.bytes.withBytes({ ByteSearch.areEqual($0, value) })
      else { return nil }
      known = nil
      return found.state
    }
    guard let state else { return try IndexState(value) }
    assert((try? IndexState(value)) == state, "a state is what its bytes say")
    return state
  }

  func remember(_ bytes: UnsafeRawBufferPointer, _ state: IndexState) {
    known.withLock { $0 = ([UInt8](bytes), state) }
  }
}
