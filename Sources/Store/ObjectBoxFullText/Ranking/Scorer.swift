#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#endif

/// BM25 with the numbers of an index.
///
/// Uses the operations of SQLite's FTS5 in the same order, so that scores are equal bit for bit.
struct Scorer {
  let k1: Double
  let b: Double
  let averageLength: Double
  let objectCount: Int

  init(_ reader: FullTextReader) {
    k1 = reader.settings.k1
    b = reader.settings.b
    averageLength = reader.averageLength
    objectCount = reader.objectCount
  }

  init(k1: Double, b: Double, objectCount: Int, wordCount: Int) {
    self.k1 = k1
    self.b = b
    self.objectCount = objectCount
    averageLength = objectCount > 0 ? Double(wordCount) / Double(objectCount) : 0
  }

  /// The part of a score that does not depend on the length: k1 · (1 − b).
  var flat: Double { k1 * (1 - b) }
  /// The factor of a length in a score: k1 · b / mean length.
  var slope: Double { averageLength > 0 ? k1 * b / averageLength : 0 }

  /// The weight of a leaf that a number of objects matches.
  func weight(matches: Int) -> Double {
    let weight = log((Double(objectCount - matches) + 0.5) / (Double(matches) + 0.5))
    // As in FTS5: a leaf that most objects match must not reduce a score.
    return weight <= 0 || weight.isNaN ? 1e-6 : weight
  }

  /// The part of a leaf in the score of an object.
  @inline(__always)
  func part(frequency: UInt32, length: UInt32, weight: Double) -> Double {
    part(frequency: frequency, norm: norm(length: length), weight: weight)
  }

  /// The part of a leaf in the score of an object, given the norm of the object's length.
  @inline(__always)
  func part(frequency: UInt32, norm: Double, weight: Double) -> Double {
    let frequency = Double(frequency)
    return weight * ((frequency * (k1 + 1)) / (frequency + norm))
  }

  /// The part of denominators that depends only on the length of an object.
  @inline(__always)
  func norm(length: UInt32) -> Double { k1 * (1 - b + b * Double(length) / averageLength) }

  /// Upper bound of a part over `weight` · (k1 + 1), for any length.
  func greatestPart(frequency: UInt32) -> Double {
    Double(frequency) / (Double(frequency) + flat)
  }
}
