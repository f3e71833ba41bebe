/// Reads the IDs of related objects at one end of a relation, in an open transaction.
package struct RelationReader {
  package enum Source {
    /// The to-one property of the hosts.
    case targets(ToOneSources)
    /// The to-one property of the related objects.
    case sources(ToOneSources)
    case entries(RelationTable, isBacklink: Bool)
  }

  let source: Source
  private let transaction: Transaction

  /// Makes the reader of an end; `table` is the host entity of a to-one property, else the related
  /// entity.
  ///
  /// Throws ``ObjectBoxError/illegalArgument(message:)`` when the model lacks a standalone
  /// relation.
  package init(_ end: RelationEnd, _ table: EntityTable, in transaction: Transaction) throws {
    let storage = transaction.storage
    self.transaction = transaction
    switch end {
    case .toOne(let id): source = .targets(ToOneSources(table, propertyID: id, in: storage))
    case .toOneBacklink(let id): source = .sources(ToOneSources(table, propertyID: id, in: storage))
    case .standalone(let id), .standaloneBacklink(let id):
      guard let entries = transaction.file.relation(id: id) else {
        throw ObjectBoxError.illegalArgument(
          message:
            "a to-many relation to '\(table.name)' has ID \(id), which the model of the store "
            + "lacks; run the generator again"
        )
      }
      source = .entries(entries, isBacklink: end == .standaloneBacklink(relation: id))
    }
  }

  /// Returns the IDs of the related objects of a host, ascending.
  package func ids(of host: UInt64) throws -> [UInt64] {
    switch source {
    case .targets(let sources):
      let target = try sources.target(of: host) ?? 0
      return target == 0 ? [] : [target]
    case .sources(let sources): return try sources.ids(referringTo: host)
    case .entries(let entries, isBacklink: false):
      return try entries.targets(of: host, in: transaction.storage)
    case .entries(let entries, isBacklink: true):
      return try entries.sources(of: host, in: transaction.storage)
    }
  }

  /// Passes the IDs of the related objects of several hosts, ascending for each host.
  ///
  /// Reads the whole standalone relation when it has few other hosts.
  ///
  /// - Parameters:
  ///   - hosts: Host IDs, ascending, each once.
  ///   - body: Gets the index of a host, and the ID of a related object.
  /// - Throws: ``ObjectBoxError`` when the relation cannot be read.
  func forEachID(of hosts: [UInt64], _ body: (Int, UInt64) -> Void) throws {
    guard case .entries(let entries, let isBacklink) = source else {
      for (index, host) in hosts.enumerated() {
        for id in try ids(of: host) { body(index, id) }
      }
      return
    }
    try entries.forEachID(of: hosts, isBacklink: isBacklink, in: transaction.storage, body)
  }
}

extension RecordReader {
  /// Returns the target ID of a to-one property; nil for none.
  func target(ofProperty id: UInt32) -> UInt64? {
    guard let target = integer(field(propertyID: id)), target != 0 else { return nil }
    return UInt64(bitPattern: target)
  }
}
