/// The state of a to-one relation: target ID and cached target.
///
/// Not generic, since looking up generic metadata at each use would take longer than the rest of a put.
struct ToOneContent {
  enum State {
    case none
    /// An object that had no ID when it was set.
    case unstored
    /// An ID whose object is not loaded.
    case lazy
    /// An ID and its object.
    case stored
    /// An ID whose object cannot be loaded.
    case unresolvable
  }

  var state = State.none
  /// True for an object that had an ID when it was set; false for a loaded one.
  var isGiven = false
  /// 0 in the states `none` and `unstored`.
  var id: UInt64 = 0
  /// Only in the states `unstored` and `stored`; see ``KeptTarget``.
  var object: AnyObject?
  /// The store that targets are loaded from.
  var store: Store?
}

/// Targets as to-one relations keep them: instances of classes themselves, and structs in objects.
///
/// A value of any type would take three more words in each relation, and the cast back longer than the rest of
/// reading a target.
package enum KeptTarget {
  private final class Struct<T> {
    let value: T

    init(_ value: T) {
      self.value = value
    }
  }

  /// Returns the object that keeps a target.
  @inline(__always)
  package static func keep<T>(_ target: T) -> AnyObject {
    // Safe for instances of classes. A checked conversion would take longer.
    T.self is AnyClass ? unsafeBitCast(target, to: AnyObject.self) : Struct(target)
  }

  /// Returns the target that an object keeps, which `keep` made of a target of the same type.
  ///
  /// - Parameters:
  ///   - kept: The object.
  ///   - type: The type of the target, stated since an optional one would be another.
  /// - Returns: The target.
  @inline(__always)
  package static func target<T>(_ kept: AnyObject, as type: T.Type) -> T {
    // Safe, since an object that is kept is an instance of the class, or else holds a value of the type.
    T.self is AnyClass
      ? unsafeBitCast(kept, to: T.self) : unsafeDowncast(kept, to: Struct<T>.self).value
  }
}

/// The locks that all to-one relations share, since a lock in each would take more memory than its content.
enum ToOneLock {
  // The value is never used. The thread sanitizer would report races for a type without size.
  private static let locks = (0..<64).map { _ in Guarded(false) }

  /// Runs a body that reads or changes the relation's content, and that must neither call code of users nor
  /// release objects.
  static func withLock<R>(of relation: AnyObject, _ body: () -> R) -> R {
    let address = UInt(bitPattern: ObjectIdentifier(relation))
    let index = Int((address >> 5 ^ address >> 11) & 63)
    return locks[index].withLock { _ in body() }
  }
}
