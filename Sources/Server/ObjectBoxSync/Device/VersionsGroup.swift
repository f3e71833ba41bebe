internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol

/// Objects of a program's transaction with equal versions before it.
///
/// A class so that passing it on counts one reference.
final class VersionsGroup {
  let versions: Row
  /// The waiting transaction that made the objects; nil for confirmed ones.
  let maker: TransactionToken?

  init(_ versions: Row, _ maker: TransactionToken?) {
    self.versions = versions
    self.maker = maker
  }

  /// Returns a reference to one of the objects.
  func reference(to key: ObjectKey) -> ObjectReference {
    if let maker { return ObjectReference(key, madeBy: maker) }
    return ObjectReference(ObjectIdentity(key: key, originID: versions.originID))
  }
}

/// Finds the versions of objects; an object that follows the one before takes no search in most cases.
struct VersionsSearch {
  private let device: StoredDevice
  private var cursor: StorageCursor?
  /// The groups that were found.
  private(set) var groups: [VersionsGroup] = []
  /// The range of the group, if it is one.
  private var range: (entity: EntityUID, ids: ClosedRange<UInt64>)?

  /// - Parameter device: The state in the transaction, which writes nothing meanwhile.
  init(_ device: StoredDevice) { self.device = device }

  /// Returns the group of an object as an index of ``groups``; nil without versions.
  ///
  /// An index, since each reference to a group would be counted for each object.
  ///
  /// - Parameter key: The object.
  /// - Returns: The index.
  /// - Throws: ``ObjectBoxError`` when the table cannot be read.
  mutating func group(of key: ObjectKey) throws -> Int? {
    if let range, range.entity == key.entity, range.ids.contains(key.id) { return groups.count - 1 }
    let cursor = try self.cursor ?? device.table.cursor(in: device.storage)
    self.cursor = cursor
    guard let versions = try device.storedVersions(at: key, by: cursor) else { return nil }
    range = try device.range(at: key).map { (key.entity, $0.ids) }
    if groups.last?.versions != versions {
      groups.append(VersionsGroup(versions, try device.waitingToken(originID: versions.originID)))
    }
    return groups.count - 1
  }
}
