internal import CObjectBoxVectors
internal import Foundation

/// Measures the distance between two vectors.
///
/// In the index, distances are `Float`s, smaller for nearer vectors. The public API returns scores.
/// NaN counts as infinitely far.
struct VectorDistance: Sendable, Hashable {
  /// The mean radius of the earth in kilometres.
  private static let earthRadius = 6371.0

  let type: HnswDistanceType
  let dimensions: Int

  /// The factor that scales a vector to length 1, for the cosine; 0 for a vector of length 0, which then counts as
  /// orthogonal to all vectors.
  func scale(of vector: UnsafeRawPointer) -> Float {
    guard type == .cosine else { return 1 }
    let square = objectbox_dot_product(vector, vector, dimensions)
    return square > 0 && square < .infinity ? 1 / square.squareRoot() : 0
  }

  /// Returns a vector with its scale.
  func scaled(_ vector: UnsafeRawPointer) -> ScaledVector {
    ScaledVector(start: vector, scale: scale(of: vector))
  }

  /// Returns the distance of two vectors, each with its scale.
  func measure(_ a: ScaledVector, _ b: ScaledVector) -> Float {
    let result: Float
    switch type {
    case .euclidean, .unknown: result = objectbox_squared_distance(a.start, b.start, dimensions)
    case .cosine, .dotProduct, .dotProductNonNormalized:
      result = objectbox_dot_product(a.start, b.start, dimensions)
    case .geo: result = haversine(a.start, b.start)
    }
    return distance(of: result, a.scale * b.scale)
  }

  /// Computes the results of several vectors; `distance(of:_:)` converts them to distances.
  func measure(
    _ a: ScaledVector,
    _ others: UnsafePointer<UnsafeRawPointer>,
    count: Int,
    into results: UnsafeMutablePointer<Float>
  ) {
    switch type {
    case .euclidean, .unknown:
      objectbox_squared_distances(a.start, others, count, dimensions, results)
    case .cosine, .dotProduct, .dotProductNonNormalized:
      objectbox_dot_products(a.start, others, count, dimensions, results)
    case .geo:
      for index in 0..<count { results[index] = haversine(a.start, others[index]) }
    }
  }

  /// True when distances depend on the scales of the vectors.
  var usesScale: Bool { type == .cosine }

  /// Converts a measured result to a distance, given the product of both scales.
  func distance(of result: Float, _ scale: Float) -> Float {
    let distance: Float
    switch type {
    case .euclidean, .unknown, .geo: distance = result
    case .cosine: distance = 1 - result * scale
    case .dotProduct: distance = 1 - result
    case .dotProductNonNormalized: distance = -result
    }
    return distance == distance ? distance : .infinity
  }

  /// The haversine of the angle between two positions, each latitude and longitude in degrees; 0 without a
  /// longitude.
  private func haversine(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Float {
    guard dimensions >= 2 else { return 0 }
    func radians(_ vector: UnsafeRawPointer, _ index: Int) -> Double {
      Double(vector.loadUnaligned(fromByteOffset: 4 * index, as: Float.self)) * .pi / 180
    }
    let (latitude, otherLatitude) = (radians(a, 0), radians(b, 0))
    let byLatitude = sin((otherLatitude - latitude) / 2)
    let byLongitude = sin((radians(b, 1) - radians(a, 1)) / 2)
    return Float(
      byLatitude * byLatitude + cos(latitude) * cos(otherLatitude) * byLongitude * byLongitude
    )
  }

  /// Returns the public score of a distance; scores have the same order as distances.
  func score(_ distance: Float) -> Double {
    let distance = Double(distance)
    switch type {
    case .euclidean, .unknown, .dotProduct: return distance
    case .cosine: return max(0, min(2, distance))
    case .geo: return 2 * Self.earthRadius * asin(max(0, min(1, distance)).squareRoot())
    case .dotProductNonNormalized:
      // A logarithm keeps different products distinct over the whole range of Float.
      let part = log1p(abs(distance)) / log1p(Double(Float.greatestFiniteMagnitude))
      return max(0, min(2, distance < 0 ? 1 - part : 1 + part))
    }
  }
}

/// The address of a vector, and its ``VectorDistance/scale(of:)``.
struct ScaledVector {
  var start: UnsafeRawPointer
  var scale: Float
}
