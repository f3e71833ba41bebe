internal import ObjectBoxSyncProtocol

/// Parts of ``StoredOperations`` with several objects each.
struct WrittenParts {
  let room: ByteRoom
  private(set) var count = 0
  /// The part that is open, and the last ID in it.
  private var open: Head?
  private var lastID: UInt64 = 0

  private struct Head {
    let kind: StoredOperations.Kind
    let entity: SyncedEntity
    let columns: [Int]
    let group: VersionsGroup?
  }

  /// - Parameter capacity: The number of bytes that are expected.
  init(capacity: Int = 256) { room = ByteRoom(capacity: capacity) }

  /// Begins an object, whose values the caller writes: those of the columns, then those of the base.
  ///
  /// - Parameters:
  ///   - key: The object.
  ///   - kind: The kind of the part.
  ///   - entity: The object's entity.
  ///   - columns: The properties, as indexes of the entity's columns.
  ///   - group: The versions of an updated object.
  ///   - base: The columns of the base of an update.
  /// - Returns: The room for the values.
  mutating func begin(
    _ key: ObjectKey,
    _ kind: StoredOperations.Kind,
    _ entity: SyncedEntity,
    _ columns: [Int],
    _ group: VersionsGroup? = nil,
    base: [SyncedColumn] = []
  ) -> ByteRoom {
    // By the raw values: `==` of another module's type is generic, and runs unspecialized.
    if key.id <= lastID || open?.entity !== entity || open?.kind.rawValue != kind.rawValue
      || open?.group !== group || open?.columns != columns
    {
      _ = ended()
      open = Head(kind: kind, entity: entity, columns: columns, group: group)
      room.append(byte: kind.rawValue)
      room.append { writer in
        writer.append(entity.uid)
        if let group {
          writer.append(group.maker)
          if group.maker == nil { writer.append(group.versions.originID) }
        }
        writer.append(columns.map { entity.columns[$0].uid })
        if kind == .updatesWithBases { writer.append(base.map(\.uid)) }
      }
    }
    room.append(key.id - lastID)
    lastID = key.id
    count += 1
    return room
  }

  /// Ends the open part, and returns all bytes.
  mutating func ended() -> ByteRoom {
    if open != nil { room.append(byte: 0) }
    open = nil
    lastID = 0
    return room
  }
}
