public import Foundation
internal import ObjectBox

/// A condition on the aggregates of a group, for ``GroupedQuery/having(_:)``.
///
/// Queries reject conditions in which `&&`, `||` and `!` alternate on more than 100 levels.
///
///     let groups = notes.query().grouped(by: Note.author).select(.count)
///       .having(.count > 3 && .sum(Note.stars) >= 100)
public struct GroupCondition<Entity>: Sendable {
  let join: ConditionJoin<GroupTest>

  init(_ test: GroupTest) { join = .one(test) }

  private init(_ join: ConditionJoin<GroupTest>) { self.join = join }

  /// Both conditions.
  ///
  /// Takes constant time, so that a loop can join any number of conditions.
  public static func && (first: Self, second: Self) -> Self {
    Self(.both(first.join, second.join))
  }

  /// One of the conditions, or both.
  ///
  /// Takes constant time, so that a loop can join any number of conditions.
  public static func || (first: Self, second: Self) -> Self {
    Self(.either(first.join, second.join))
  }

  /// Negates the condition.
  ///
  /// An aggregate without a value meets no comparison, so it meets the negation.
  public static prefix func ! (condition: Self) -> Self {
    // A deep test would overflow the stack, at the latest when it is released.
    let isTooDeep = condition.join.depth >= GroupTest.greatestDepth
    return Self(isTooDeep ? .tooDeep : .not(condition.join.condition))
  }
}

/// A condition on aggregates without its types.
package indirect enum GroupTest: JoinableCondition {
  package enum Comparison: String, Sendable {
    case less, lessOrEqual, equal, greaterOrEqual, greater
  }

  case compare(AggregateSource, Comparison, GroupCell.Content)
  case all([GroupTest])
  case any([GroupTest])
  case not(GroupTest)
  /// Stands for a test that is deeper than ``greatestDepth``; ``sources`` refuses it.
  case tooDeep

  package static let greatestDepth = 100

  package var depth: Int {
    switch self {
    case .compare: 0
    case .all(let parts), .any(let parts): 1 + (parts.lazy.map(\.depth).max() ?? 0)
    case .not(let part): 1 + part.depth
    case .tooDeep: Self.greatestDepth + 1
    }
  }

  package static func list(_ parts: [GroupTest], ofAll isAll: Bool) -> GroupTest {
    isAll ? .all(parts) : .any(parts)
  }

  package func parts(ofAll isAll: Bool) -> [GroupTest]? {
    switch self {
    case .all(let parts): isAll ? parts : nil
    case .any(let parts): isAll ? nil : parts
    case .compare, .not, .tooDeep: nil
    }
  }

  /// The aggregates that are compared.
  ///
  /// Throws `ObjectBoxError.illegalArgument` for a test that is too deep.
  var sources: [AggregateSource] {
    get throws {
      switch self {
      case .compare(let source, _, _): [source]
      case .all(let parts), .any(let parts): try parts.flatMap { try $0.sources }
      case .not(let part): try part.sources
      case .tooDeep:
        throw ObjectBoxError.illegalArgument(
          message:
            "a condition on groups has more than \(Self.greatestDepth) '&&', '||' and '!' in each other; "
            + "join conditions by one operator"
        )
      }
    }
  }

  /// Returns whether a group meets the condition.
  ///
  /// - Parameter value: Returns the value of an aggregate of the group.
  /// - Returns: True if it does.
  func passes(_ value: (AggregateSource) throws -> GroupCell.Content) rethrows -> Bool {
    switch self {
    case .compare(let source, let comparison, let operand):
      let found = try value(source)
      if found == .null || found.isNaN || operand.isNaN { return false }
      let order = GroupOrder.compare(found, operand)
      return switch comparison {
      case .less: order < 0
      case .lessOrEqual: order <= 0
      case .equal: order == 0
      case .greaterOrEqual: order >= 0
      case .greater: order > 0
      }
    case .all(let parts): return try parts.allSatisfy { try $0.passes(value) }
    case .any(let parts): return try parts.contains { try $0.passes(value) }
    case .not(let part): return try !part.passes(value)
    case .tooDeep: return false
    }
  }
}

/// A value with which aggregates are compared.
public protocol GroupOperand {
  /// The value.
  var __cell: GroupCell { get }
}

extension GroupOperand where Self: FixedWidthInteger {
  /// The value.
  public var __cell: GroupCell { GroupCell(.integer(Int64(truncatingIfNeeded: self))) }
}

extension Int: GroupOperand {}
extension Int8: GroupOperand {}
extension Int16: GroupOperand {}
extension Int32: GroupOperand {}
extension Int64: GroupOperand {}
extension UInt8: GroupOperand {}
extension UInt16: GroupOperand {}
extension UInt32: GroupOperand {}
extension UInt: GroupOperand {
  /// The value.
  public var __cell: GroupCell { GroupCell(.unsigned(UInt64(self))) }
}
extension UInt64: GroupOperand {
  /// The value.
  public var __cell: GroupCell { GroupCell(.unsigned(self)) }
}
extension Float: GroupOperand {
  /// The value.
  public var __cell: GroupCell { GroupCell(.double(Double(self))) }
}
extension Double: GroupOperand {
  /// The value.
  public var __cell: GroupCell { GroupCell(.double(self)) }
}
extension Bool: GroupOperand {
  /// The value.
  public var __cell: GroupCell { GroupCell(.integer(self ? 1 : 0)) }
}
extension String: GroupOperand {
  /// The value.
  public var __cell: GroupCell { GroupCell(.text(self)) }
}
extension Date: GroupOperand {
  /// The value.
  public var __cell: GroupCell { GroupCell(.date(self)) }
}

/// True if the aggregate is greater.
public func > <E, V: GroupOperand>(_ aggregate: Aggregate<E, V>, _ value: V) -> GroupCondition<E> {
  aggregate.compared(.greater, value)
}
/// True if the aggregate is at least the value.
public func >= <E, V: GroupOperand>(_ aggregate: Aggregate<E, V>, _ value: V) -> GroupCondition<E> {
  aggregate.compared(.greaterOrEqual, value)
}
/// True if the aggregate is less.
public func < <E, V: GroupOperand>(_ aggregate: Aggregate<E, V>, _ value: V) -> GroupCondition<E> {
  aggregate.compared(.less, value)
}
/// True if the aggregate is at most the value.
public func <= <E, V: GroupOperand>(_ aggregate: Aggregate<E, V>, _ value: V) -> GroupCondition<E> {
  aggregate.compared(.lessOrEqual, value)
}
/// True if the aggregate is the value.
public func == <E, V: GroupOperand>(_ aggregate: Aggregate<E, V>, _ value: V) -> GroupCondition<E> {
  aggregate.compared(.equal, value)
}
/// True if there is a greater value.
public func > <E, V: GroupOperand>(_ aggregate: Aggregate<E, V?>, _ value: V) -> GroupCondition<E> {
  aggregate.compared(.greater, value)
}
/// True if there is a value, and it is at least the given one.
public func >= <E, V: GroupOperand>(_ aggregate: Aggregate<E, V?>, _ value: V) -> GroupCondition<E>
{
  aggregate.compared(.greaterOrEqual, value)
}
/// True if there is a value, and it is less.
public func < <E, V: GroupOperand>(_ aggregate: Aggregate<E, V?>, _ value: V) -> GroupCondition<E> {
  aggregate.compared(.less, value)
}
/// True if there is a value, and it is at most the given one.
public func <= <E, V: GroupOperand>(_ aggregate: Aggregate<E, V?>, _ value: V) -> GroupCondition<E>
{
  aggregate.compared(.lessOrEqual, value)
}
/// True if there is a value, and it is the given one.
public func == <E, V: GroupOperand>(_ aggregate: Aggregate<E, V?>, _ value: V) -> GroupCondition<E>
{
  aggregate.compared(.equal, value)
}

extension Aggregate {
  fileprivate func compared(
    _ comparison: GroupTest.Comparison,
    _ value: some GroupOperand
  ) -> GroupCondition<Entity> {
    GroupCondition(.compare(source, comparison, value.__cell.content))
  }
}
