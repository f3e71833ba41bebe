public import Foundation
public import ObjectBox

/// A value that a run of a grouped query has found: the key of a group, or an aggregate.
public struct GroupCell: Sendable {
  package enum Content: Sendable, Equatable {
    case null
    case integer(Int64)
    /// A number of an unsigned property of 64 bits.
    case unsigned(UInt64)
    case double(Double)
    case date(Date)
    case text(String)
  }

  package let content: Content

  package init(_ content: Content) { self.content = content }

  /// The bits of an integer.
  var integer: Int64 {
    switch content {
    case .integer(let number): number
    case .unsigned(let number): Int64(bitPattern: number)
    default: 0
    }
  }

  var double: Double {
    switch content {
    case .double(let number): number
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    default: 0
    }
  }
}

/// A type of properties that can group objects and have a minimum and a maximum: integers, floating point
/// numbers, Booleans, texts, dates, IDs, and optionals of them.
public protocol GroupValue: SendableMetatype {
  /// Returns the value of a cell; zero, false or empty for null.
  static func __value(of cell: GroupCell) -> Self
}

extension GroupValue where Self: FixedWidthInteger {
  /// Returns the value of a cell.
  public static func __value(of cell: GroupCell) -> Self { Self(truncatingIfNeeded: cell.integer) }
}

extension GroupValue where Self: BinaryFloatingPoint {
  /// Returns the value of a cell.
  public static func __value(of cell: GroupCell) -> Self { Self(cell.double) }
}

extension Int: GroupValue {}
extension Int8: GroupValue {}
extension Int16: GroupValue {}
extension Int32: GroupValue {}
extension Int64: GroupValue {}
extension UInt: GroupValue {}
extension UInt8: GroupValue {}
extension UInt16: GroupValue {}
extension UInt32: GroupValue {}
extension UInt64: GroupValue {}
extension Float: GroupValue {}
extension Double: GroupValue {}

extension Bool: GroupValue {
  /// Returns the value of a cell.
  public static func __value(of cell: GroupCell) -> Bool { cell.integer != 0 }
}

extension String: GroupValue {
  /// Returns the value of a cell.
  public static func __value(of cell: GroupCell) -> String {
    if case .text(let text) = cell.content { return text }
    return ""
  }
}

extension Date: GroupValue {
  /// Returns the value of a cell.
  public static func __value(of cell: GroupCell) -> Date {
    if case .date(let date) = cell.content { return date }
    return Date(timeIntervalSince1970: 0)
  }
}

extension EntityId: GroupValue {
  /// Returns the value of a cell.
  public static func __value(of cell: GroupCell) -> EntityId {
    EntityId(UInt64(bitPattern: cell.integer))
  }
}

extension Optional: GroupValue where Wrapped: GroupValue {
  /// Returns the value of a cell; nil for null.
  public static func __value(of cell: GroupCell) -> Wrapped? {
    cell.content == .null ? nil : Wrapped.__value(of: cell)
  }
}
