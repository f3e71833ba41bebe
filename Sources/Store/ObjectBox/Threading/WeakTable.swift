/// A table of weakly held objects.
///
/// A linear search: tables have few keys, and hashing one key takes longer than comparing dozens.
package final class WeakTable<Key: Equatable & Sendable>: Sendable {
  private let entries = Guarded<[(key: Key, reference: WeakObject)]>([])

  /// Returns the object of a key; nil if there is none.
  func object(_ key: Key) -> (any AnyObject & Sendable)? {
    entries.withLock { entries in
      for entry in entries where entry.key == key { return entry.reference.object }
      return nil
    }
  }

  /// Returns the object of a key; makes one if there is none.
  ///
  /// - Parameters:
  ///   - key: The key of the object.
  ///   - isUsable: Returns whether an existing object may be returned.
  ///   - make: Makes an object; it must not use this table.
  /// - Returns: The object.
  package func object<T: AnyObject & Sendable>(
    _ key: Key,
    where isUsable: (T) -> Bool = { _ in true },
    make: () -> T
  ) -> T {
    // Released outside of the lock: its deinitializer may take other locks.
    var found: T?
    defer { withExtendedLifetime(found) {} }
    return entries.withLock { entries in
      found = entries.first { $0.key == key }?.reference.object as? T
      if let found, isUsable(found) { return found }
      let object = make()
      entries.removeAll { $0.key == key || $0.reference.object == nil }
      entries.append((key, WeakObject(object: object)))
      return object
    }
  }
}

/// A weak reference.
///
/// A class, because copying weak references is slow. Not generic, because looking up metadata is
/// slower still.
private final class WeakObject: Sendable {
  weak let object: (any AnyObject & Sendable)?

  init(object: any AnyObject & Sendable) {
    self.object = object
  }
}
