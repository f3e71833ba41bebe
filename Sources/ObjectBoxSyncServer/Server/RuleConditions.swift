internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// The conditions of an entity's rules as scopes.
struct RuleConditions: Sendable {
  /// The most scopes of one condition: each `&&` between lists of values multiplies them.
  static let limit = ScopeMarks.limit

  private let entity: SyncedEntity

  init(_ entity: SyncedEntity) {
    self.entity = entity
  }

  /// Returns the scopes of which an object must be in one; none for a condition that no object
  /// fulfils.
  ///
  /// - Throws: ``SyncServerError`` for a condition that rules cannot have.
  func scopes(_ condition: Condition) throws -> [Scope] {
    try alternatives(condition).map { Scope(entity: entity.uid, $0) }
  }

  /// Returns the properties that a condition compares.
  ///
  /// - Throws: ``SyncServerError`` for a condition that rules cannot have.
  func properties(_ condition: Condition) throws -> [PropertyUID] {
    switch condition {
    case .any(let parts), .all(let parts): try parts.flatMap(properties)
    case .property(let condition): [PropertyUID(try property(condition).identity.uid)]
    case .link: throw unusable("leads over a relation")
    }
  }

  /// Checks a condition of a rule of writes, which may compare properties in every way.
  ///
  /// - Throws: ``SyncServerError`` for a condition that follows relations, or does not fit the entity.
  func check(_ condition: Condition) throws {
    _ = try properties(condition)
    do {
      _ = try RecordFilter(condition, entity: entity.table.schema)
    } catch let error as ObjectBoxError {
      throw SyncServerError.unusableRule(
        message: "a rule of '\(entity.name)': \(error.description)"
      )
    }
  }

  /// Returns lists of comparisons; an object must pass all comparisons of one list.
  private func alternatives(_ condition: Condition) throws -> [[Scope.Comparison]] {
    switch condition {
    case .any(let parts): return try parts.flatMap(alternatives)
    case .all(let parts):
      var all: [[Scope.Comparison]] = [[]]
      for part in parts {
        let next = try alternatives(part)
        guard all.count * next.count <= Self.limit else {
          throw unusable(
            "connects lists of values by '&&', which makes more than \(Self.limit) combinations"
          )
        }
        all = all.flatMap { first in next.map { first + $0 } }
      }
      guard all.allSatisfy({ $0.count <= Scope.limit }) else {
        throw unusable("connects more than \(Scope.limit) comparisons by '&&'")
      }
      return all
    case .property(let condition): return try comparisons(condition).map { [$0] }
    case .link: throw unusable("leads over a relation")
    }
  }

  private func property(_ condition: PropertyCondition) throws -> PropertySchema {
    try ConditionTypes.property(of: condition, in: entity.table.schema)
  }

  /// Returns the comparisons of which one must pass.
  private func comparisons(_ condition: PropertyCondition) throws -> [Scope.Comparison] {
    let property = try property(condition)
    var test = Scope.Comparison.Test.equals
    let values: [PropertyValue]
    switch (condition.comparison, try ConditionTypes.operand(of: condition, for: property)) {
    case (.isNil, _): values = [.null]
    case (.equal, .integers(let numbers)), (.isIn, .integers(let numbers)):
      // A list of numbers matches where one of them is equal.
      guard property.type != .intVector, property.type != .longVector else {
        throw unusable(
          "compares the list '\(property.name)', and lists of texts can be compared only"
        )
      }
      values = numbers.map { property.type == .relation && $0 == 0 ? .null : .integer($0) }
    case (.equal, .texts(let texts)), (.isIn, .texts(let texts)):
      guard condition.isCaseSensitive else { throw unusable("ignores case") }
      values = texts.map { .bytes(Array($0.utf8)) }
    case (.containsElement, .texts(let texts)):
      guard condition.isCaseSensitive else { throw unusable("ignores case") }
      test = .contains
      values = texts.map { .bytes(Array($0.utf8)) }
    default:
      throw unusable("compares '\(property.name)' by '\(condition.comparison.rawValue)'")
    }
    let uid = PropertyUID(property.identity.uid)
    return values.map { Scope.Comparison(uid, test, $0) }
  }

  private func unusable(_ found: String) -> SyncServerError {
    .unusableRule(
      message:
        "a rule of '\(entity.name)' \(found); rules compare integers, dates and texts by '==' and 'isIn', lists of "
        + "texts by 'contains', and are connected by '||' and '&&'"
    )
  }
}
