internal import ObjectBox
public import Observation

/// `withObservationTracking` sees which members and properties are read, and calls `onChange` in
/// the isolation of the view, after the view has moved to a version in which one of them differs.
///
/// A value whose type is not `Equatable` counts as changed with any property of the object. A view
/// of a thread moves and notifies in `refresh`.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension LiveObject: Observable {}

extension LiveObject {
  /// Remembers a read that Observation tracks.
  ///
  /// - Parameters:
  ///   - part: The part that was read.
  ///   - value: Its value.
  ///   - read: Reads the part of a handle of the object; nil when it cannot be read.
  func track<V>(_ part: ReadPart, _ value: V, _ read: @escaping (LiveObject<E>) -> V?) {
    let isSame: (LiveObject<E>) -> Bool
    if let value = value as? any Equatable {
      isSame = { handle in read(handle).map(value.isEqual) ?? false }
    } else {
      let record = storedRecord
      isSame = { handle in handle.storedRecord == record }
    }
    let (id, generation) = (self.id, self.generation)
    let entity = E.entityInfo.entitySchemaId
    live.reads?.track(
      part,
      of: .object(entity: entity, id: id.value, generation: generation),
      in: live
    ) { [weak self] live in
      if let self { return isSame(self) }
      let handle = LiveObject(gone: id, in: live, generation)
      // A member of an object that is gone keeps its last value.
      if case .member = part, handle.isGone { return true }
      return isSame(handle)
    }
  }

  /// The bytes of the object's record; nil when the view does not show the object.
  private var storedRecord: [UInt8]? {
    live.generation == generation ? live.record(of: id) : nil
  }
}

extension LiveStore {
  /// Returns the bytes of an object's record; nil without one, and when it cannot be read.
  func record<E>(of id: EntityId<E>) -> [UInt8]?
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try? reading { store in
      let table = try Box<E>(store: store).table()
      return try store.transactions.inTransaction(isWritable: false) { transaction, _ in
        try transaction.withStorage { try table.bytes(of: id.value, in: $0) }
      }
    }
  }

  /// True when Observation tracks a read that happens now; for code that has checked its isolation.
  var isTrackingRead: Bool { reads?.isTracking() == true }
}

extension Equatable {
  /// Returns whether another value has the same type and is equal.
  fileprivate func isEqual(to other: Any) -> Bool { other as? Self == self }
}
