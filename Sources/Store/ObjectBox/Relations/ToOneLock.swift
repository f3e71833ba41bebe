/// The state of a to-one relation: target ID and cached target.
///
/// Not generic: looking up generic metadata at each use would cost more than the rest of a put.
struct ToOneContent {
  enum State {
    case none
    /// A target that had no ID when it was set.
    case unstored
    /// An ID whose object is not loaded.
    case lazy
    /// An ID and its object.
    case stored
    /// An ID whose object cannot be loaded.
    case unresolvable
  }

  var state = State.none
  /// True for a target that the user set with an ID; false for a loaded target.
  var isGiven = false
  /// 0 in the states `none` and `unstored`.
  var id: UInt64 = 0
  /// Only in the states `unstored` and `stored`; see ``KeptTarget``.
  var object: AnyObject?
  /// The store that targets are loaded from.
  var store: Store?
}

/// Targets as to-one relations keep them: instances of classes as they are, structs boxed in an
/// object.
///
/// Earns 10 % of the row 'the same with the targets of an included to-one relation'. An existential
/// would also add three words to each relation.
package enum KeptTarget {
  private final class Struct<T> {
    let value: T

    init(_ value: T) {
      self.value = value
    }
  }

  /// Returns the object that keeps a target.
  package static func keep<T>(_ target: T) -> AnyObject {
    // Safe for instances of classes; a checked cast would cost more.
    T.self is AnyClass ? unsafeBitCast(target, to: AnyObject.self) : Struct(target)
  }

  /// Returns the target that an object keeps.
  ///
  /// - Parameters:
  ///   - kept: An object that `keep` made for a target of the same type.
  ///   - type: The type of the target, explicit because inference could choose an optional.
  /// - Returns: The target.
  package static func target<T>(_ kept: AnyObject, as type: T.Type) -> T {
    // Safe: a kept object is an instance of the class, or a box of a value of the type.
    T.self is AnyClass
      ? unsafeBitCast(kept, to: T.self) : unsafeDowncast(kept, to: Struct<T>.self).value
  }
}

/// The locks that all to-one relations share; a lock in each relation would take more memory than
/// its content.
enum ToOneLock {
  // The value is never used. The thread sanitizer would report races on a type of size zero.
  private static let locks = (0..<64).map { _ in Guarded(false) }

  /// Runs a body that accesses the relation's content.
  ///
  /// It must neither call user code nor release objects.
  static func withLock<R>(of relation: AnyObject, _ body: () -> R) -> R {
    let address = UInt(bitPattern: ObjectIdentifier(relation))
    let mixed: UInt = (address >> 5) ^ (address >> 11)
    let index = Int(mixed & 63)
    return locks[index].withLock { _ in body() }
  }
}
