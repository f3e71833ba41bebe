import Foundation
import ObjectBox

/// Objects with a value of each type.
extension Thing {
  /// The kind of a sample's values.
  enum Sample: String, CaseIterable {
    case usual, least, greatest, empty, long
  }

  /// Returns the values of a sample by property name.
  static func values(_ sample: Sample) -> [String: Any] {
    var values: [String: Any] = [
      "key": "\(sample)", "number": Int32(sample == .least ? Int32.min : 7), "next": Id(3),
      "place": [Float](repeating: 0.5, count: dimensions),
    ]
    for type in otherTypes { values["\(type)"] = value(of: type, sample) }
    return values
  }

  private static func value(of type: PropertyType, _ sample: Sample) -> Any? {
    switch type {
    case .unknown, .relation: return nil
    case .bool: return sample == .greatest
    case .byte: return number(sample, Int8.self)
    case .short, .char: return number(sample, Int16.self)
    case .int: return number(sample, Int32.self)
    case .long: return number(sample, Int64.self)
    case .float: return Float(fraction(sample))
    case .double: return fraction(sample)
    case .string: return texts(sample).joined()
    case .date, .dateNano: return dates(sample).first ?? Date(timeIntervalSince1970: 0)
    case .flex, .byteVector: return elements(sample, UInt8.self)
    case .boolVector: return elements(sample, UInt8.self).map { $0 % 2 == 1 }
    case .shortVector, .charVector: return elements(sample, Int16.self)
    case .intVector: return elements(sample, Int32.self)
    case .longVector: return elements(sample, Int64.self)
    case .floatVector: return elements(sample, Int8.self).map { Float($0) / 4 }
    case .doubleVector: return elements(sample, Int8.self).map { Double($0) / 8 }
    case .stringVector: return texts(sample)
    case .dateVector, .dateNanoVector: return dates(sample)
    }
  }

  private static func number<T: FixedWidthInteger>(_ sample: Sample, _: T.Type) -> T {
    switch sample {
    case .usual: 42
    case .least: .min
    case .greatest: .max
    case .empty: 0
    case .long: .max / 3
    }
  }

  private static func fraction(_ sample: Sample) -> Double {
    switch sample {
    case .usual: 0.1
    case .least: -.infinity
    case .greatest: .nan
    case .empty: -0.0
    case .long: 1e-40
    }
  }

  private static func elements<T: FixedWidthInteger>(_ sample: Sample, _: T.Type) -> [T] {
    switch sample {
    case .usual: [1, 2, 3]
    case .least: [.min]
    case .greatest: [.max, .min, 0]
    case .empty: []
    case .long: (0..<40).map { T($0) }
    }
  }

  private static func texts(_ sample: Sample) -> [String] {
    switch sample {
    case .usual: ["a text", ""]
    case .least: ["\0"]
    case .greatest: ["\u{10FFFF}", "Z\u{301}\u{327}", "1.50"]
    case .empty: []
    case .long: (0..<12).map { "part \($0) " }
    }
  }

  private static func dates(_ sample: Sample) -> [Date] {
    elements(sample, Int8.self).map { Date(timeIntervalSince1970: Double($0) * 1000) }
  }
}
