internal import ObjectBox

/// The server's extension `vector`, which indexes vectors and finds nearest neighbours.
///
/// Its types and operators are qualified by their schema, since that need not be in a program's
/// search path.
struct VectorExtension: Hashable, Sendable {
  /// The extension's schema, quoted.
  let namespace: String

  /// Asks for the extension's schema; no row without the extension, or before version 0.5, which
  /// added the index.
  static let check = Statement(
    "SELECT n.nspname::text FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace "
      + "WHERE e.extname = 'vector' AND EXISTS (SELECT FROM pg_am WHERE amname = 'hnsw')"
  )

  /// Reads the row of ``check``; nil without one.
  init?(_ rows: ResultRows) {
    guard rows.count > 0, let name = rows.text(0, 0) else { return nil }
    self.init(schema: name)
  }

  init(schema: String) {
    namespace = schema.quotedName
  }

  /// Returns a column's vector in the extension's type; null for a vector that the extension refuses.
  ///
  /// It refuses vectors of another length, and vectors with numbers that are not finite. The embedded store keeps such
  /// vectors; with them, an index would make puts fail.
  func vector(_ column: String, _ hnsw: HnswParameters) -> String {
    "((CASE WHEN array_ndims(\(column)) = 1 AND cardinality(\(column)) = \(hnsw.dimensions)"
      + " AND array_position(\(column), NULL) IS NULL"
      + " AND NOT \(column) && '{NaN,Infinity,-Infinity}'::real[]"
      + " THEN \(column) END)::\(type(hnsw)))"
  }

  /// The type of vectors of an index's length.
  func type(_ hnsw: HnswParameters) -> String { "\(namespace).vector(\(hnsw.dimensions))" }

  /// The operator for an index's distance, where smaller is nearer.
  func distance(_ hnsw: HnswParameters) -> String {
    "OPERATOR(\(namespace).\(hnsw.operators.distance))"
  }

  /// The operator class of an index.
  func operatorClass(_ hnsw: HnswParameters) -> String { "\(namespace).\(hnsw.operators.name)" }

  /// Returns true if the extension measures the distance and indexes vectors of this length.
  ///
  /// It has no geographic distance, and indexes at most 2,000 dimensions.
  static func indexes(_ hnsw: HnswParameters) -> Bool {
    hnsw.dimensions <= 2_000 && hnsw.distanceType != HnswDistanceType.geo.rawValue
  }
}

extension HnswParameters {
  fileprivate var operators: (name: String, distance: String) {
    switch distanceType.flatMap(HnswDistanceType.init(rawValue:)) {
    case .cosine: ("vector_cosine_ops", "<=>")
    case .dotProduct, .dotProductNonNormalized: ("vector_ip_ops", "<#>")
    default: ("vector_l2_ops", "<->")
    }
  }

  /// The options of an index, within the limits of the extension.
  var indexOptions: String {
    var options: [String] = []
    if let neighborsPerNode { options.append("m = \(max(2, min(100, neighborsPerNode)))") }
    if let indexingSearchCount {
      options.append("ef_construction = \(max(4, min(1000, indexingSearchCount)))")
    }
    return options.isEmpty ? "" : " WITH (\(options.joined(separator: ", ")))"
  }
}

/// The nearest-neighbour indexes of a database.
struct VectorIndexes: Sendable {
  /// The server's extension; nil without it.
  var vectors: VectorExtension?
  /// The names of the existing indexes; the extension may be newer than the tables.
  var names: Set<String> = []
}

extension VectorIndexes {
  /// Reads the rows of ``ClusterTables/vectorIndexCheck``.
  init(_ vectors: ResultRows, _ names: ResultRows) {
    self.vectors = VectorExtension(vectors)
    self.names = Set((0..<names.count).compactMap { names.text($0, 0) })
  }

  /// Returns true if an index of the model is missing that the server supports.
  func isIncomplete(in tables: ClusterTables) -> Bool {
    guard vectors != nil else { return false }
    return tables.model.entities.contains { entity in
      TableConstraint.all(of: entity, in: tables.model, hasVectors: true).contains { constraint in
        if case .vector = constraint.kind { !names.contains(constraint.name) } else { false }
      }
    }
  }
}

extension ClusterTables {
  /// Asks for the extension and for the schema's nearest-neighbour indexes.
  var vectorIndexCheck: [Statement] {
    [
      VectorExtension.check,
      Statement(
        "SELECT relname::text FROM pg_class "
          + "WHERE relnamespace = to_regnamespace($1) AND relkind = 'i' AND starts_with(relname, $2)"
      ) {
        $0.append(namespace)
        $0.append(TableConstraint.vectorPrefix)
      },
    ]
  }
}
