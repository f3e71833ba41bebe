internal import ObjectBox

/// The extension `vector` of a server, which indexes vectors and finds nearest neighbours.
///
/// Its types and operators are named with their schema, since programs need not have that in their search path.
struct VectorExtension: Hashable, Sendable {
  /// The schema that the extension is in, quoted.
  let namespace: String

  /// Asks for the schema of the extension; no row where there is none, or none that has the index (before 0.5).
  static let check = Statement(
    "SELECT n.nspname::text FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace "
      + "WHERE e.extname = 'vector' AND EXISTS (SELECT FROM pg_am WHERE amname = 'hnsw')"
  )

  /// Takes the row of ``check``; nil without one.
  init?(_ rows: ResultRows) {
    guard rows.count > 0, let name = rows.text(0, 0) else { return nil }
    self.init(schema: name)
  }

  init(schema: String) {
    namespace = schema.quotedName
  }

  /// Returns the vector of a column as the extension has it; null for one that it does not take.
  ///
  /// It refuses vectors of another length and numbers that are not finite, which the embedded store keeps: without
  /// this an index would make puts fail.
  func vector(_ column: String, _ hnsw: HnswParameters) -> String {
    "((CASE WHEN array_ndims(\(column)) = 1 AND cardinality(\(column)) = \(hnsw.dimensions)"
      + " AND array_position(\(column), NULL) IS NULL"
      + " AND NOT \(column) && '{NaN,Infinity,-Infinity}'::real[]"
      + " THEN \(column) END)::\(type(hnsw)))"
  }

  /// The type of vectors of the length that an index has.
  func type(_ hnsw: HnswParameters) -> String { "\(namespace).vector(\(hnsw.dimensions))" }

  /// The operator of a distance, the smaller the nearer.
  func distance(_ hnsw: HnswParameters) -> String {
    "OPERATOR(\(namespace).\(hnsw.operators.distance))"
  }

  /// The operators that an index serves.
  func operatorClass(_ hnsw: HnswParameters) -> String { "\(namespace).\(hnsw.operators.name)" }

  /// True when the extension measures the distance, and indexes vectors of the length.
  ///
  /// It has no distance on a globe, and indexes at most 2,000 dimensions.
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

/// The indexes of nearest neighbours that a database has.
struct VectorIndexes: Sendable {
  /// The extension that they need, where the server has it.
  var vectors: VectorExtension?
  /// Their names: the extension may have come after the tables.
  var names: Set<String> = []
}

extension VectorIndexes {
  /// Takes the rows of ``ClusterTables/vectorIndexCheck``.
  init(_ vectors: ResultRows, _ names: ResultRows) {
    self.vectors = VectorExtension(vectors)
    self.names = Set((0..<names.count).compactMap { names.text($0, 0) })
  }

  /// True when the model has a nearest-neighbour index that the server could have and has not.
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
  /// Asks for the extension, and for the indexes that the schema has.
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
