import Foundation
import ObjectBox

extension Workloads {
  private func vectorsAndQueries() -> (vectors: [[Float]], queries: [[Float]]) {
    var set = VectorSet(clusters: 100, spread: 1)
    let vectors = (0..<count).map { _ in set.next() }
    return (vectors, (0..<1000).map { _ in set.next() })
  }

  /// Writes the vectors, then the queries, to `vectors.f32` beside the store, for a peer.
  func writeVectors() throws {
    let (vectors, queries) = vectorsAndQueries()
    var bytes = Data()
    for vector in vectors + queries { vector.withUnsafeBytes { bytes.append(contentsOf: $0) } }
    let file = URL(fileURLWithPath: folder).deletingLastPathComponent()
    try bytes.write(to: file.appendingPathComponent("vectors.f32"))
  }

  /// Measures nearest neighbours among vectors of 128 dimensions in 100 clusters.
  ///
  /// Prints the time to store and index the vectors, the time of a query, and the recall of the ten
  /// nearest.
  func vectors() throws {
    let (vectors, queries) = vectorsAndQueries()
    let store = try freshStore()
    defer { store.close() }
    let box = store.box(for: Embedded.self)
    try report.time("W15_put_vectors", operations: count, once: true) {
      try box.put(vectors.map { Embedded(vector: $0) })
    }
    report.emit(value: try fileSize() / Double(count), "W15_bytes_per_vector")

    let query = try box.query {
      Embedded.vector.nearestNeighbors(queryVector: queries[0], maxCount: 10)
    }.build()
    func find(_ vector: [Float]) throws -> [Id] {
      query.setParameter(Embedded.vector, to: vector)
      return try query.findIdsWithScores().map(\.id)
    }
    try report.time("W15_nearest_10_first", operations: queries.count, once: true) {
      for vector in queries { try require(try find(vector).count == 10, "nearest") }
    }
    try report.time("W15_nearest_10_again", operations: queries.count) {
      for vector in queries { try require(try find(vector).count == 10, "nearest") }
    }
    var hits = 0
    let judged = queries.prefix(200)
    for vector in judged {
      let nearest = VectorSet.nearest(to: vector, in: vectors, count: 10).map { Id($0 + 1) }
      hits += Set(nearest).intersection(try find(vector)).count
    }
    let recall = Double(hits) / Double(10 * judged.count)
    report.emit(value: recall * 100, "W15_recall_at_10_percent")
    try require(recall >= 0.996, "recall \(recall)")

    let removed = DataSet.shuffled(count, taken: count / 10).map { Id($0 + 1) }
    try report.time("W15_remove_vectors", operations: removed.count, once: true) {
      try box.remove(removed)
    }
    try report.time("W15_put_vector_durable", operations: 200, once: true) {
      for vector in queries.prefix(200) { try box.put(Embedded(vector: vector)) }
    }
  }
}
