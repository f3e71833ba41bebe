/// The parameters of a nearest-neighbour index, as arguments of `hnswParams`.
enum VectorIndexArguments {
  /// Returns all seven arguments; parameters that the annotation omits are nil.
  static func text(of index: SchemaVectorIndex) -> String {
    let flags = index.flags.map { names in
      "[" + names.map { "." + $0 }.joined(separator: ", ") + "]"
    }
    let arguments: [(String, String?)] = [
      ("dimensions", "\(index.dimensions)"),
      ("neighborsPerNode", index.neighborsPerNode.map { "\($0)" }),
      ("indexingSearchCount", index.indexingSearchCount.map { "\($0)" }),
      ("flags", flags),
      ("distanceType", index.distanceType.map { "." + $0 }),
      ("reparationBacklinkProbability", index.reparationBacklinkProbability.map { "\($0)" }),
      ("vectorCacheHintSizeKB", index.vectorCacheHintSize.map { "\($0)" }),
    ]
    return arguments.map { "\($0): \($1 ?? "nil")" }.joined(separator: ", ")
  }
}
