internal import ObjectBoxStorage

/// The locks of all to-one relations: a relation shares its lock with others, since a lock of its own would
/// cost more memory than all else that it holds.
enum ToOneLock {
  private static let locks = (0..<64).map { _ in Guarded<Void>(()) }

  /// Runs a body that touches the relation's content; it must call nothing that users wrote, nor end an
  /// object.
  static func withLock<R>(of relation: AnyObject, _ body: () -> R) -> R {
    let address = UInt(bitPattern: ObjectIdentifier(relation))
    let place = Int((address >> 5 ^ address >> 11) & 63)
    return locks[place].withLock { _ in body() }
  }
}
