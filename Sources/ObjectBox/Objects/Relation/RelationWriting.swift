/// Changes the stored objects of a to-many relation, in an open write transaction.
struct RelationWriting<S>
where S: EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
  private let link: RelationLink
  private let box: Box<S>
  private let transaction: Transaction

  init(_ link: RelationLink, _ box: Box<S>, _ transaction: Transaction) {
    self.link = link
    self.box = box
    self.transaction = transaction
  }

  /// Adds a stored object, or takes it out; false when nothing had to be changed.
  func set(_ isRelated: Bool, _ id: UInt64) throws -> Bool {
    try link.setRelated(isRelated, id, box, transaction)
  }

  /// Adds an object, which is put unless it is stored, and returns its ID.
  func add(_ object: S) throws -> UInt64 {
    let id = try box.idStoring(object) { setToOne(of: object, to: link.host) }
    _ = try set(true, id)
    return id
  }

  /// Takes an object out; false when the relation does not have it.
  func remove(_ object: S) throws -> Bool {
    let id = S.entityBinding.entityId(of: object)
    guard try set(false, id) else { return false }
    setToOne(of: object, to: nil)
    return true
  }

  /// Takes all objects out, except for those with the given IDs.
  func removeAll(except kept: Set<UInt64> = []) throws {
    for id in try link.ids(in: try box.table(), transaction) where !kept.contains(id) {
      _ = try set(false, id)
    }
  }

  /// Sets the to-one relation whose backlink this is, so that a later put of the instance stores the same.
  private func setToOne(of object: S, to host: UInt64?) {
    guard case .toOne(let property) = link.kind else { return }
    S.entityBinding.setToOneRelation(property, of: object, to: host)
  }
}
