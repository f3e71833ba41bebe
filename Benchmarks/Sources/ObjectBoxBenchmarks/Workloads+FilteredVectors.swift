import Foundation
import ObjectBox

/// A condition beside a search for nearest neighbours.
private struct Filter {
  let name: String
  let condition: QueryCondition<Labelled>
  /// Returns whether an object with a label and a cluster meets the condition.
  let matches: (_ label: Int, _ cluster: Int) -> Bool

  static var all: [Self] {
    [1, 10, 30, 100, 500].map { limit in
      Self(
        name: "\(Double(limit) / 10)_percent".replacingOccurrences(of: ".0_", with: "_"),
        condition: Labelled.label < Int32(limit)
      ) { label, _ in label < limit }
    } + [
      Self(name: "10_clusters", condition: Labelled.cluster < 10) { _, cluster in cluster < 10 },
      Self(name: "50_clusters", condition: Labelled.cluster < 50) { _, cluster in cluster < 50 },
    ]
  }
}

extension Workloads {
  /// Measures nearest neighbours under other conditions, of random objects and of whole clusters.
  ///
  /// Prints for each condition the time of a query, beside one without the condition, and the
  /// recall of the ten nearest.
  func filteredVectors() throws {
    var set = VectorSet(clusters: 100, spread: 1)
    var clusters: [Int] = []
    let vectors = (0..<count).map { _ in
      let vector = set.next()
      clusters.append(set.cluster)
      return vector
    }
    let labels = (0..<count).map { Int(DataSet.mix(UInt64($0)) % 1000) }
    let queries = (0..<200).map { _ in set.next() }
    let store = try freshStore()
    defer { store.close() }
    let box = store.box(for: Labelled.self)
    try box.put(
      vectors.indices.map {
        Labelled(vector: vectors[$0], label: Int32(labels[$0]), cluster: Int32(clusters[$0]))
      }
    )
    let near = Labelled.vector.nearestNeighbors(queryVector: queries[0], maxCount: 10)
    let plain = try box.query { near }.build()
    for filter in Filter.all {
      let query = try box.query { near && filter.condition }.build()
      func find(_ query: Query<Labelled>, _ vector: [Float]) throws -> [Id] {
        query.setParameter(Labelled.vector, to: vector)
        let found = try query.findIdsWithScores().map(\.id)
        try require(found.count == 10, "nearest of \(filter.name)")
        return found
      }
      let places = vectors.indices.filter { filter.matches(labels[$0], clusters[$0]) }
      var hits = 0
      for vector in queries {
        let nearest = VectorSet.nearest(to: vector, in: vectors, at: places, count: 10)
        hits += Set(nearest.map { Id($0 + 1) }).intersection(try find(query, vector)).count
      }
      let recall = Double(hits) / Double(10 * queries.count)
      report.emit(value: recall * 100, "W16_recall_of_\(filter.name)")
      try require(recall >= 0.99, "recall of \(filter.name): \(recall)")
      for (peer, query) in [("objectbox_unfiltered", plain), ("objectbox", query)] {
        var report = report
        report.peer = peer
        try report.time("W16_nearest_10_of_\(filter.name)", operations: queries.count) {
          for vector in queries { _ = try find(query, vector) }
        }
      }
    }
  }
}
