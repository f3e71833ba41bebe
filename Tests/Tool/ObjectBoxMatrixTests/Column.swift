import ObjectBox
import ObjectBoxCluster
import ObjectBoxDynamic
import ObjectBoxLive
import Testing

/// A condition of the matrix, in the typed and the dynamic form, and the values that it matches.
struct Cell<E: MatrixEntity, Value> {
  let name: String
  var typed: QueryCondition<E>?
  var dynamic: ((DynamicProperty) -> DynamicCondition)?
  /// Never called for null, which only `isNil()` matches.
  let matches: (Value) -> Bool
  var matchesNull = false
}

/// The numbers that all columns share.
enum Matrix {
  /// The number of rows: every column repeats its values, and nulls are the first, the last and
  /// others.
  static let count = 60

  /// The flags of the orders that each surface is asked for.
  static let orderings: [[OrderFlags]] = [
    [], [.descending], [.nullsLast], [.descending, .nullsLast],
  ]

  /// Returns the numbers of objects by their IDs.
  static func numbers<E>(_ ids: [EntityId<E>]) -> [Int] { ids.map { Int($0.value) - 1 } }
}

/// A property of an entity with values, and what must be found by it.
///
/// The values are known to the column, so no expectation goes through the library.
struct Column<E: MatrixEntity> {
  let name: String
  let fill: (inout E, Int) -> Void
  /// Returns whether a read row has the value of its number.
  let isRead: (E, Int) -> Bool
  /// Returns whether a change, or none, is that of an object from the value of one row to that of another.
  let isChange: (PropertyChange?, _ old: Int, _ new: Int) -> Bool
  /// Returns whether a stored value, or null, that is read without its object is that of a row.
  let isStored: (Any?, Int) -> Bool
  let conditions: [Condition]
  /// The same property where an earlier model had it optional if it is not, and not if it is.
  let turned: Turned
  /// The values of the rows for programs in other languages.
  let portable: Portable
  /// Orders of the rows' numbers, ascending with nulls first and equal values by number; nil without
  /// an order.
  var order: (flags: [OrderFlags], numbers: [Int], ranks: [Int])?
  /// Sets the order of a query by the property.
  var ordered: ((QueryBuilder<E>, [OrderFlags]) -> QueryBuilder<E>)?
  /// Sets the order of a query by the property of the first row of each holder; nil where holders
  /// have no relation to the entity.
  var orderedOfHolders: ((QueryBuilder<Holder>, [OrderFlags]) -> QueryBuilder<Holder>)?
  var orderedOfCluster: ((ClusterQuery<E>, [OrderFlags]) -> ClusterQuery<E>)?
  /// Conditions on aggregates of each holder's rows; empty where holders have no relation to the
  /// entity.
  var related: [Related] = []
  /// Checks of other surfaces: property queries, groups, updates.
  var checks: [Check] = []

  /// The name of the column's property.
  var property: String {
    guard name.hasPrefix("maybe ") else { return name }
    let rest = name.dropFirst("maybe ".count)
    return "maybe" + rest.prefix(1).uppercased() + rest.dropFirst()
  }

  /// The numbers of the rows in the order of the property with flags; nil without an order.
  func numbers(_ flags: [OrderFlags]) -> [Int]? {
    guard let order else { return nil }
    var numbers = order.numbers
    if flags.contains(.descending) {
      numbers.sort { (-order.ranks[$0], $0) < (-order.ranks[$1], $1) }
    }
    guard name.hasPrefix("maybe ") else { return numbers }
    // Null is the least value; 'nullsLast' moves it behind all others, in both directions.
    let nulls = order.numbers.filter { order.ranks[$0] == 0 }
    let others = numbers.filter { order.ranks[$0] != 0 }
    return flags.contains(.nullsLast) ? others + nulls : nulls + others
  }

  struct Condition {
    let name: String
    let typed: QueryCondition<E>?
    let dynamic: ((DynamicProperty) -> DynamicCondition)?
    /// Returns the numbers of the rows that match; not all surfaces ask.
    let matching: () -> [Int]

    var expected: [Int] { matching() }
  }

  struct Turned {
    /// Returns the value that a row had in the earlier model, for a dynamic box.
    let value: (Int) -> Any?
    /// Returns whether a read row has that value, or the empty one in place of null.
    let isRead: (E, Int) -> Bool
    /// The conditions, with the rows that match among those values.
    let conditions: [Condition]
  }

  /// A condition on holders by their rows.
  struct Related {
    let name: String
    let condition: QueryCondition<Holder>
    /// Returns the numbers of the holders that match.
    let matching: () -> [Int]
  }

  struct Check {
    let name: String
    /// True if it reads or writes objects, and thus depends on the kind of the entity.
    var isOfObjects = false
    var onStore: ((MatrixStore<E>) throws -> Void)?
    var onCluster: ((ClusterBox<E>) async throws -> Void)?
  }
}
