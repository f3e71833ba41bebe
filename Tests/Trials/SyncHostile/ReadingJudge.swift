import ObjectBox
import ObjectBoxSyncProtocol

/// Judges whether a user may see what the server sends.
///
/// The rules compare values of the object alone, so a sent object has the values that let the user see it.
struct ReadingJudge {
  private let owners: [EntityUID: PropertyUID]
  private let user: PropertyValue

  /// - Parameters:
  ///   - entities: The entities of the server's model.
  ///   - user: The user.
  init(_ entities: [EntitySchema], user: String) {
    self.user = .bytes(Array(user.utf8))
    let found = entities.compactMap { entity in
      entity.properties.first { $0.name == "owner" }.map {
        (EntityUID(entity.identity.uid), PropertyUID($0.identity.uid))
      }
    }
    owners = Dictionary(uniqueKeysWithValues: found)
  }

  /// Returns the number of objects that the user may not see.
  func foreign(in rows: RowBatch) -> Int {
    rows.reduce(0) { sum, row in
      let owner = owners[row.key.entity].flatMap { row.row.values[$0] }
      return owner == user ? sum : sum + 1
    }
  }

  /// True if an object of another user is noticed, beside one of this user.
  var noticesForeign: Bool {
    let rows = owners.flatMap { entity, property in
      [user, .bytes(Array("nobody".utf8))].map { owner in
        var values = PropertyList<PropertyValue>()
        values[property] = owner
        return KeyedRow(
          key: ObjectKey(entity: entity, id: 1),
          row: Row(originID: OriginID(1), values: values, stamp: .none)
        )
      }
    }
    return !rows.isEmpty && foreign(in: RowBatch(rows)) == owners.count
  }
}
