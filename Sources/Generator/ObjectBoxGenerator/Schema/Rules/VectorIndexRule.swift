internal import ObjectBoxCommandLine

/// Applies the `hnswIndex` annotation, for nearest-neighbour search.
enum VectorIndexRule {
  /// Words for `flags` and `distanceType`; the runtime has a case of the same name for each.
  static let flags: Set<String> = [
    "debugLogs", "debugLogsDetailed", "vectorCacheSimdPaddingOff", "reparationLimitCandidates",
  ]
  static let distanceTypes: Set<String> = [
    "unknown", "euclidean", "cosine", "dotProduct", "geo", "dotProductNonNormalized",
  ]

  /// Adds the index to a property; the property's type must be known.
  static func apply(
    _ stored: StoredVariable,
    to property: inout SchemaProperty
  ) -> [Diagnostic] {
    guard let item = stored.annotations["hnswIndex"] else { return [] }
    let title = property.declaration
    func finding(_ reason: String, at place: SourceSpan? = nil) -> [Diagnostic] {
      [
        Diagnostic(
          .invalidVectorIndex(title, reason, in: stored.ownerTitle),
          at: place ?? item.name
        )
      ]
    }
    guard property.type == .floatVector else {
      return finding("only [Float] can have one; declare '\(property.name)' as [Float]")
    }
    guard case .dictionary(let options) = item.value else {
      return finding("it says no dimensions")
    }
    do {
      property.vectorIndex = try parameters(options)
    } catch {
      let place = error.isKey ? error.key.map(item.keyPlace) : error.key.map(item.valuePlace(of:))
      return finding(error.reason, at: place)
    }
    property.index = .value
    property.flags.insert(.indexed)
    return []
  }

  private struct Fault: Error {
    var reason: String
    /// The key with the fault.
    var key: String?
    var isKey = false
  }

  private static func parameters(
    _ options: [String: AnnotationValue]
  ) throws(Fault) -> SchemaVectorIndex {
    guard let dimensions = options["dimensions"] else {
      throw Fault(reason: "it says no dimensions")
    }
    var index = SchemaVectorIndex(dimensions: try integer(dimensions, "dimensions", 1...Int.max))
    for (key, value) in options.sorted(by: { $0.key < $1.key }) where key != "dimensions" {
      let counts = 0...Int(UInt32.max)
      switch key {
      case "neighborsPerNode": index.neighborsPerNode = UInt32(try integer(value, key, counts))
      case "indexingSearchCount":
        index.indexingSearchCount = UInt32(try integer(value, key, counts))
      case "vectorCacheHintSizeKB": index.vectorCacheHintSize = try integer(value, key, 0...Int.max)
      case "reparationBacklinkProbability":
        index.reparationBacklinkProbability = try probability(value, key)
      case "distanceType": index.distanceType = try word(value, key, distanceTypes)
      case "flags": index.flags = try flags(value)
      default:
        throw Fault(
          reason: "the key '\(key)' is unknown"
            + EditDistance.advice(for: key, in: Annotation.keys("hnswIndex")),
          key: key,
          isKey: true
        )
      }
    }
    return index
  }

  private static func integer(
    _ value: AnnotationValue,
    _ key: String,
    _ range: ClosedRange<Int>
  ) throws(Fault) -> Int {
    if case .integer(let number) = value, let number = Int(exactly: number), range.contains(number)
    {
      return number
    }
    throw Fault(reason: "'\(key)' is no whole number from \(range.lowerBound)", key: key)
  }

  private static func probability(_ value: AnnotationValue, _ key: String) throws(Fault) -> Double {
    switch value {
    case .decimal(let number) where (0...1).contains(number): return number
    case .integer(let number) where (0...1).contains(number): return Double(number)
    default: throw Fault(reason: "'\(key)' is no number from 0 to 1", key: key)
    }
  }

  private static func word(
    _ value: AnnotationValue,
    _ key: String,
    _ known: Set<String>
  ) throws(Fault) -> String {
    let text = value.string ?? ""
    guard known.contains(text) else {
      throw Fault(
        reason: "the word '\(text)' of '\(key)' is unknown"
          + EditDistance.advice(for: text, in: known),
        key: key
      )
    }
    return text
  }

  private static func flags(_ value: AnnotationValue) throws(Fault) -> [String] {
    var found: [String] = []
    for part in (value.string ?? "").split(separator: ",", omittingEmptySubsequences: false) {
      found.append(try word(.text(part.trimmed { $0 == " " }), "flags", flags))
    }
    return found
  }
}

extension DiagnosticMessage {
  static func invalidVectorIndex(_ property: String, _ reason: String, in owner: String) -> Self {
    "the annotation 'hnswIndex' of '\(property)' in \(owner) cannot be used: \(reason); "
      + "write \(Annotation.usage("hnswIndex"))"
  }
}
