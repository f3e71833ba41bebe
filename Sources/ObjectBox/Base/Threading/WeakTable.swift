/// Objects by key, held weakly.
///
/// A class, since it guards shared state.
final class WeakTable<Key: Hashable & Sendable>: Sendable {
  private let objects = Guarded<[Key: WeakObject]>([:])

  /// Returns the object of a key; nil when there is none.
  func object(_ key: Key) -> (any AnyObject & Sendable)? {
    objects.withLock { $0[key]?.object }
  }

  /// Returns the object of a key, and makes one when there is none.
  ///
  /// - Parameters:
  ///   - key: Its key.
  ///   - isUsable: Returns whether an existing object may be returned.
  ///   - make: Makes one; must not call this again.
  /// - Returns: The object.
  func object<T: AnyObject & Sendable>(
    _ key: Key,
    where isUsable: (T) -> Bool = { _ in true },
    make: () -> T
  ) -> T {
    // Released outside of the lock, since its deinitializer may take other locks.
    var found: T?
    defer { withExtendedLifetime(found) {} }
    return objects.withLock { objects in
      found = objects[key]?.object as? T
      if let found, isUsable(found) { return found }
      let object = make()
      objects = objects.filter { $0.value.object != nil }
      objects[key] = WeakObject(object: object)
      return object
    }
  }
}

/// A weak reference.
///
/// A class, since copies of weak references are slow; not generic, since looking up metadata would be slower
/// still.
private final class WeakObject: Sendable {
  weak let object: (any AnyObject & Sendable)?

  init(object: any AnyObject & Sendable) {
    self.object = object
  }
}
