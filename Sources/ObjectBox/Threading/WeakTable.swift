/// Objects by key, held weakly.
///
/// The keys are compared one by one: tables have few, and hashing one takes longer than comparing some dozens.
///
/// A class, since it guards shared state.
package final class WeakTable<Key: Equatable & Sendable>: Sendable {
  private let entries = Guarded<[(key: Key, reference: WeakObject)]>([])

  /// Returns the object of a key; nil when there is none.
  func object(_ key: Key) -> (any AnyObject & Sendable)? {
    entries.withLock { entries in
      for entry in entries where entry.key == key { return entry.reference.object }
      return nil
    }
  }

  /// Returns the object of a key, and makes one when there is none.
  ///
  /// - Parameters:
  ///   - key: Its key.
  ///   - isUsable: Returns whether an existing object may be returned.
  ///   - make: Makes one; must not call this again.
  /// - Returns: The object.
  package func object<T: AnyObject & Sendable>(
    _ key: Key,
    where isUsable: (T) -> Bool = { _ in true },
    make: () -> T
  ) -> T {
    // Released outside of the lock, since its deinitializer may take other locks.
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
/// A class, since copies of weak references are slow; not generic, since looking up metadata would be slower
/// still.
private final class WeakObject: Sendable {
  weak let object: (any AnyObject & Sendable)?

  init(object: any AnyObject & Sendable) {
    self.object = object
  }
}
