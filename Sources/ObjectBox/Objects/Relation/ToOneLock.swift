/// What a to-one relation holds.
///
/// Not generic: the runtime looks up types that are made from others whenever they are used, which would
/// cost more than all else in a put.
struct ToOneContent {
  enum State {
    case none
    /// There is an object, which had no ID when it was set.
    case unstored
    /// There is an ID, whose object is not loaded.
    case lazy
    /// There are an ID and an object.
    case stored
    /// There is an ID whose object cannot be loaded.
    case unresolvable
  }

  var state = State.none
  /// True when the object was set, not loaded, and had an ID.
  var isGiven = false
  /// 0 in the states `none` and `unstored`.
  var id: UInt64 = 0
  /// Only in the states `unstored` and `stored`.
  var object: Any?
  /// Where targets are loaded from.
  var store: Store?
}

/// The locks of all to-one relations: a relation shares its lock with others, since a lock of its own would
/// cost more memory than all else that it holds.
enum ToOneLock {
  // The value is never used; a type without size would have the thread sanitizer see races.
  private static let locks = (0..<64).map { _ in Guarded(false) }

  /// Runs a body that touches the relation's content; it must call nothing that users wrote, nor end an
  /// object.
  static func withLock<R>(of relation: AnyObject, _ body: () -> R) -> R {
    let address = UInt(bitPattern: ObjectIdentifier(relation))
    let place = Int((address >> 5 ^ address >> 11) & 63)
    return locks[place].withLock { _ in body() }
  }
}
