import Foundation

/// Vectors around random centres, the same each time.
struct VectorSet {
  static let dimensions = 128

  private var centers: [[Float]] = []
  /// The centre of the last vector.
  private(set) var cluster = 0
  private let spread: Float
  private var state: UInt64

  /// - Parameters:
  ///   - clusters: The number of centres.
  ///   - spread: The standard deviation around a centre; the centres' standard deviation is 1.
  ///   - seed: The seed of the random numbers.
  init(clusters: Int, spread: Float, seed: UInt64 = 1) {
    self.spread = spread
    state = DataSet.mix(seed)
    for _ in 0..<clusters {
      var center: [Float] = []
      for _ in 0..<Self.dimensions { center.append(normal()) }
      centers.append(center)
    }
  }

  /// Returns a vector around a random centre.
  mutating func next() -> [Float] {
    state = DataSet.mix(state)
    cluster = Int(state % UInt64(centers.count))
    var vector = centers[cluster]
    for index in vector.indices { vector[index] += spread * normal() }
    return vector
  }

  /// Returns a normally distributed number.
  private mutating func normal() -> Float {
    state = DataSet.mix(state)
    let first = (Double(state >> 11) + 0.5) / 9_007_199_254_740_992
    state = DataSet.mix(state)
    let second = Double(state >> 11) / 9_007_199_254_740_992
    return Float((-2 * log(first)).squareRoot() * cos(2 * .pi * second))
  }

  /// Returns the indices of the `count` vectors nearest to a query, by comparing all vectors or
  /// those at the given places.
  static func nearest(
    to query: [Float],
    in vectors: [[Float]],
    at places: [Int]? = nil,
    count: Int
  ) -> [Int] {
    let distances = (places ?? Array(vectors.indices)).map { place in
      var sum: Float = 0
      vectors[place].withUnsafeBufferPointer { vector in
        query.withUnsafeBufferPointer { query in
          for index in 0..<dimensions {
            let difference = vector[index] - query[index]
            sum += difference * difference
          }
        }
      }
      return (sum, place)
    }
    return distances.sorted { $0 < $1 }.prefix(count).map(\.1)
  }
}
