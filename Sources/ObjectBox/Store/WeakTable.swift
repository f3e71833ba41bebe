internal import ObjectBoxStorage

/// Objects by number, as long as somebody else holds them.
///
/// A class, since it guards shared state.
final class WeakTable: Sendable {
  private struct Weak {
    weak let object: (any AnyObject & Sendable)?
  }

  private let objects = Guarded<[Int: Weak]>([:])

  /// Returns the object with a number, and makes one when there is none.
  ///
  /// - Parameters:
  ///   - number: Its number.
  ///   - isUsable: Says whether the one that is there will do.
  ///   - make: Makes one; must not call this again.
  /// - Returns: The object.
  func object<T: AnyObject & Sendable>(
    _ number: Int,
    where isUsable: (T) -> Bool,
    make: () -> T
  ) -> T {
    // Released outside of the lock: its end may take the lock of something else.
    var found: T?
    defer { withExtendedLifetime(found) {} }
    return objects.withLock { objects in
      found = objects[number]?.object as? T
      if let found, isUsable(found) { return found }
      let object = make()
      objects = objects.filter { $0.value.object != nil }
      objects[number] = Weak(object: object)
      return object
    }
  }
}
