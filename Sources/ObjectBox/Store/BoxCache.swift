internal import ObjectBoxStorage

/// The boxes of one store that are in use.
///
/// A box holds its store; the store holds its boxes weakly, so that neither keeps the other for ever.
/// A class, since it guards shared state.
final class BoxCache: Sendable {
  private struct Weak: @unchecked Sendable {
    // Only boxes are kept here, and those may be used from all threads.
    weak var box: AnyObject?
  }

  private let boxes = Guarded<[UInt32: Weak]>([:])

  /// Returns the box of an entity, or makes it.
  func box<B: AnyObject & Sendable>(_ entity: UInt32, make: () -> B) -> B {
    boxes.withLock { boxes in
      if let box = boxes[entity]?.box as? B { return box }
      let box = make()
      boxes[entity] = Weak(box: box)
      return box
    }
  }
}
