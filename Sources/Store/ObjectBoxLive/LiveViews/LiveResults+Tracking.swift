internal import ObjectBox
public import Observation

/// `withObservationTracking` distinguishes reads of the number of objects, of the objects, and (with `find`) of
/// their contents. It calls `onChange` in the isolation of the view, after the view has moved to a version in
/// which that part differs.
///
/// Members that are read through the handles count by themselves. A view of a thread moves and
/// notifies in `refresh`.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension LiveResults: Observable {}

extension LiveResults {
  /// Remembers a read that Observation tracks.
  ///
  /// - Parameters:
  ///   - part: The part that was read.
  ///   - value: Its value.
  ///   - read: Reads the part of results with the same selection.
  func track<V: Equatable>(_ part: ReadPart, _ value: V, _ read: @escaping (LiveResults<E>) -> V) {
    let (selection, generation) = (selection, generation)
    live.reads?.track(part, of: .results(readNumber), in: live) { [weak self] live in
      if let self { return read(self) == value }
      // Invalid results keep their last objects.
      if live.generation != generation, part != .presence { return true }
      return read(LiveResults(selection, in: live, generation)) == value
    }
  }

  /// A number that changes with the records of the objects.
  func contentHash(_ numbers: [UInt64]) -> Int {
    var hasher = Hasher()
    for number in numbers {
      hasher.combine(number)
      hasher.combine(live.record(of: EntityId<E>(number)))
    }
    return hasher.finalize()
  }
}
