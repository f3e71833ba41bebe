internal import ObjectBox

/// A constraint or an index of an entity's table.
///
/// It refers to properties by UID, so renaming entities and properties leaves it equal.
struct TableConstraint: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// No two objects have the same values, unless one of the values is null.
    ///
    /// A unique index makes the second transaction with the same value wait for the first. Deferrable constraints and
    /// exclusion constraints would admit both, and could make each wait for the other.
    case unique
    /// A B-tree for ranges and orders, or for equal hashes.
    ///
    /// Not a hash index: while PostgreSQL splits a bucket of one, a search can end before it has read all rows. A lost
    /// connection of a replica or a crash can leave the split unfinished for a long time.
    case value
    /// A to-one relation with a rule for the removal of its target.
    case target(entity: UInt64, DeleteRule)
    /// Nearest neighbours by the extension `vector`.
    case vector(HnswParameters)
  }

  /// A part of the key.
  struct Part: Hashable, Sendable {
    enum Form: Hashable, Sendable {
      case whole
      /// The first characters or bytes, which fit into an entry of a B-tree; they order like the
      /// values.
      case beginning(Int)
      /// A cryptographic hash in place of the value, for unique values: an entry of a B-tree has at
      /// most 2,704 bytes.
      case digest
      /// A short hash in place of the value, for equality only.
      case hash
    }

    var property: UInt64
    var column: ColumnKind
    /// True for the column of folded texts.
    var isFolded: Bool
    var form: Form
  }

  /// The permanent name, which contains the UID of the property or of the compound index.
  let name: String
  let entity: UInt64
  var kind: Kind
  let parts: [Part]

  /// True if SQL treats it as a constraint rather than an index.
  var isConstraint: Bool {
    if case .target = kind { true } else { false }
  }

  /// Number of characters of a text, or bytes, in a B-tree entry.
  ///
  /// 200 characters have up to 800 bytes of UTF-8, so three such values fit into an entry.
  static let beginning = 200
}

extension TableConstraint {
  static let uniquePrefix = "objectbox_unique_"
  static let indexPrefix = "objectbox_index_"
  static let targetPrefix = "objectbox_target_"
  static let vectorPrefix = "objectbox_vector_"

  /// Returns the constraints and indexes of an entity, without its primary key.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - model: The entity's model, with the targets of its relations.
  ///   - hasVectors: True when the server has the extension `vector`.
  /// - Returns: The constraints and indexes in the order of the properties.
  static func all(
    of entity: EntitySchema,
    in model: StoreSchema,
    hasVectors: Bool = false
  ) -> [TableConstraint] {
    let ofProperties = entity.properties.filter { !$0.has(.id) }.flatMap { property in
      self.all(of: property, entity, model, hasVectors: hasVectors)
    }
    return ofProperties + entity.compoundIndexes.map { together($0, of: entity) }
  }

  private static func all(
    of property: PropertySchema,
    _ entity: EntitySchema,
    _ model: StoreSchema,
    hasVectors: Bool
  ) -> [TableConstraint] {
    let uid = property.identity.uid
    let part = Part(property)
    func constraint(_ prefix: String, _ kind: Kind, _ parts: [Part]) -> TableConstraint {
      TableConstraint(
        name: "\(prefix)\(uid)",
        entity: entity.identity.uid,
        kind: kind,
        parts: parts
      )
    }
    if property.type == .floatVector {
      // A model from a file has no parameters.
      guard hasVectors, property.index != nil, let hnsw = property.hnsw,
        VectorExtension.indexes(hnsw)
      else { return [] }
      return [constraint(vectorPrefix, .vector(hnsw), [part])]
    }
    var all: [TableConstraint] = []
    let isUnique = property.has(.unique) || property.has(.uniqueOnConflictReplace)
    if isUnique {
      all.append(constraint(uniquePrefix, .unique, [part.unique]))
    }
    if property.index != nil || property.type == .relation {
      // The unique index serves equality, and also ranges if it has the values themselves.
      if !isUnique || !part.column.isShort && !property.isHashed {
        let indexed = property.isHashed ? part.hashed : part.inTree
        all.append(constraint(indexPrefix, .value, [indexed]))
      }
    }
    if property.type == .relation, property.onDelete != .nullify,
      let target = model.entities.first(where: { $0.name == property.targetEntityName })
    {
      let kind = Kind.target(entity: target.identity.uid, property.onDelete)
      all.append(constraint(targetPrefix, kind, [part]))
    }
    return all
  }

  private static func together(
    _ index: CompoundIndexSchema,
    of entity: EntitySchema
  ) -> TableConstraint {
    let parts = entity.properties(ids: index.propertyIDs).map(Part.init)
    let longCount = parts.count { !$0.column.isShort }
    let room = min(beginning, 3 * beginning / max(1, longCount))
    return TableConstraint(
      name: "\(index.isUnique ? uniquePrefix : indexPrefix)\(index.identity.uid)",
      entity: entity.identity.uid,
      kind: index.isUnique ? .unique : .value,
      parts: parts.map { index.isUnique ? $0.unique : $0.inTree(room) }
    )
  }
}

extension TableConstraint.Part {
  init(_ property: PropertySchema) {
    let column = ColumnKind(property)
    self.init(
      property: property.identity.uid,
      column: column,
      isFolded: property.collation == .nocase && column == .text,
      form: .whole
    )
  }

  /// The part's form in a unique index.
  fileprivate var unique: Self {
    var part = self
    if !column.isShort { part.form = .digest }
    return part
  }

  /// The part's form in an index for equality only.
  fileprivate var hashed: Self {
    var part = self
    if !column.isShort { part.form = .hash }
    return part
  }

  /// The part's form in a B-tree of one property.
  fileprivate var inTree: Self { inTree(TableConstraint.beginning) }

  fileprivate func inTree(_ length: Int) -> Self {
    guard !column.isShort else { return self }
    var part = self
    part.form = column.isArray ? .digest : .beginning(length)
    return part
  }
}

extension PropertySchema {
  /// True if the property's index serves equality only.
  var isHashed: Bool { has(.indexHash) || has(.indexHash64) || ColumnKind(self).isArray }
}

extension ColumnKind {
  /// True if every value fits into an entry of a B-tree.
  ///
  /// Decimals have at most 38 digits.
  var isShort: Bool {
    switch self {
    case .bool, .smallint, .integer, .bigint, .real, .double, .timestamp, .numeric, .uuid: true
    case .text, .bytes, .integers, .bigints, .reals, .texts: false
    }
  }

  var isArray: Bool {
    switch self {
    case .integers, .bigints, .reals, .texts: true
    default: false
    }
  }
}
