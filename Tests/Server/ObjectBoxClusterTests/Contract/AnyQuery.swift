import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

/// A query under construction for a store of any kind.
struct AnyQuery<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  let embedded: QueryBuilder<E>?
  let cluster: ClusterQuery<E>?

  func ordered<T>(by property: Property<E, T, Void>, flags: [OrderFlags] = []) -> Self {
    Self(
      embedded: embedded?.ordered(by: property, flags: flags),
      cluster: cluster?.ordered(by: property, flags: flags)
    )
  }

  func ordered(by property: Property<E, Id, Id>, flags: [OrderFlags] = []) -> Self {
    Self(
      embedded: embedded?.ordered(by: property, flags: flags),
      cluster: cluster?.ordered(by: property, flags: flags)
    )
  }

  func link<V: IdBase, R: EntityInspectable>(
    _ relation: Property<E, V, R>,
    conditions: @escaping () -> QueryCondition<R>
  ) -> Self {
    Self(
      embedded: embedded?.link(relation, conditions: conditions),
      cluster: cluster?.link(relation, conditions: conditions)
    )
  }

  func link<R>(
    _ relation: ToManyProperty<R>,
    conditions: @escaping () -> QueryCondition<R>
  ) -> Self {
    Self(
      embedded: embedded?.link(relation, conditions: conditions),
      cluster: cluster?.link(relation, conditions: conditions)
    )
  }

  func include<V: IdBase, R>(_ relation: Property<E, V, R>) -> Self
  where R: Entity & EntityInspectable & __EntityRelatable, R == R.EntityBindingType.EntityType {
    Self(embedded: embedded?.include(relation), cluster: cluster?.include(relation))
  }

  func include<R>(_ relation: ToManyProperty<R>) -> Self
  where R: Entity & EntityInspectable & __EntityRelatable, R == R.EntityBindingType.EntityType {
    Self(embedded: embedded?.include(relation), cluster: cluster?.include(relation))
  }

  func build() throws -> any ContractQuery<E> {
    if let embedded { return try embedded.build() }
    return try #require(cluster).build()
  }

  /// Returns the IDs of the results, and checks that all ways to read them agree.
  func ids() async throws -> [UInt64] {
    let query = try build()
    let ids = try await query.ids()
    let count = try await query.countAll()
    let found = try await query.find(offset: 0, limit: 0).map { E.entityBinding.entityId(of: $0) }
    #expect(count == ids.count)
    #expect(found == ids)
    return ids
  }
}

/// Expects the IDs of the results of a query.
func expect<E>(
  _ query: AnyQuery<E>,
  _ ids: [UInt64],
  at location: SourceLocation = #_sourceLocation
) async throws {
  let found = try await query.ids()
  #expect(found == ids, sourceLocation: location)
}

extension AnyBox {
  func query(_ condition: QueryCondition<E>) -> AnyQuery<E> {
    AnyQuery(embedded: embedded?.query { condition }, cluster: cluster?.query { condition })
  }

  func query() -> AnyQuery<E> { AnyQuery(embedded: embedded?.query(), cluster: cluster?.query()) }
}

/// A property query in a store of any kind.
struct AnyPropertyQuery<E, T: EntityPropertyTypeConvertible>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  let embedded: PropertyQuery<E, T>?
  let cluster: ClusterPropertyQuery<E, T>?

  fileprivate func both<R>(
    _ a: (PropertyQuery<E, T>) throws -> R,
    _ b: (ClusterPropertyQuery<E, T>) async throws -> R
  ) async throws -> R {
    if let embedded { return try a(embedded) }
    return try await b(try #require(cluster))
  }

  func distinct() throws -> Self {
    Self(embedded: try embedded?.distinct(), cluster: cluster?.distinct())
  }

  func count() async throws -> Int { try await both({ try $0.count() }, { try await $0.count() }) }
}

extension AnyPropertyQuery where T: FixedWidthInteger {
  func sum() async throws -> Int64 { try await both({ try $0.sum() }, { try await $0.sum() }) }
  func sumInt() async throws -> Int {
    try await both({ try $0.sumInt() }, { try await $0.sumInt() })
  }
  func sumUnsigned() async throws -> UInt64 {
    try await both({ try $0.sumUnsigned() }, { try await $0.sumUnsigned() })
  }
  func max() async throws -> T { try await both({ try $0.max() }, { try await $0.max() }) }
  func min() async throws -> T { try await both({ try $0.min() }, { try await $0.min() }) }
  func average() async throws -> Double {
    try await both({ try $0.average() }, { try await $0.average() })
  }
  func averageInt() async throws -> T {
    try await both({ try $0.averageInt() }, { try await $0.averageInt() })
  }
  func find() async throws -> [T] { try await both({ try $0.find() }, { try await $0.find() }) }
  func findUnique() async throws -> T? {
    try await both({ try $0.findUnique() }, { try await $0.findUnique() })
  }
}

extension AnyPropertyQuery where T: ScalarPropertyType, T.Scalar == Int64 {
  func with(nullValue: Int64) -> Self {
    Self(
      embedded: embedded?.with(nullValue: nullValue),
      cluster: cluster?.with(nullValue: nullValue)
    )
  }
}

extension AnyPropertyQuery where T: BinaryFloatingPoint {
  func sum() async throws -> Double { try await both({ try $0.sum() }, { try await $0.sum() }) }
  func max() async throws -> T { try await both({ try $0.max() }, { try await $0.max() }) }
  func min() async throws -> T { try await both({ try $0.min() }, { try await $0.min() }) }
  func average() async throws -> Double {
    try await both({ try $0.average() }, { try await $0.average() })
  }
  func findDoubles() async throws -> [Double] where T == Double {
    try await both({ try $0.findDoubles() }, { try await $0.findDoubles() })
  }
  func findUniqueDouble() async throws -> Double? where T == Double {
    try await both({ try $0.findUniqueDouble() }, { try await $0.findUniqueDouble() })
  }
  func findFloats() async throws -> [Float] where T == Float {
    try await both({ try $0.findFloats() }, { try await $0.findFloats() })
  }
  func findUniqueFloat() async throws -> Float? where T == Float {
    try await both({ try $0.findUniqueFloat() }, { try await $0.findUniqueFloat() })
  }
}

extension AnyPropertyQuery where T: ScalarPropertyType, T.Scalar: BinaryFloatingPoint {
  func with(nullValue: T.Scalar) -> Self {
    Self(
      embedded: embedded?.with(nullValue: nullValue),
      cluster: cluster?.with(nullValue: nullValue)
    )
  }
}

extension AnyPropertyQuery where T: StringPropertyType {
  func distinct(caseSensitiveCompare: Bool) throws -> Self {
    Self(
      embedded: try embedded?.distinct(caseSensitiveCompare: caseSensitiveCompare),
      cluster: cluster?.distinct(caseSensitiveCompare: caseSensitiveCompare)
    )
  }
  func findStrings() async throws -> [String] {
    try await both({ try $0.findStrings() }, { try await $0.findStrings() })
  }
  func findString() async throws -> String? {
    try await both({ try $0.findString() }, { try await $0.findString() })
  }
  func findUniqueString() async throws -> String? {
    try await both({ try $0.findUniqueString() }, { try await $0.findUniqueString() })
  }
}

extension AnyPropertyQuery where T == String? {
  func with(nullString: String) -> Self {
    Self(
      embedded: embedded?.with(nullString: nullString),
      cluster: cluster?.with(nullString: nullString)
    )
  }
}

extension AnyPropertyQuery where T: EncodedPropertyType {
  func find() async throws -> [T.Encoded] {
    try await both({ try $0.find() }, { try await $0.find() })
  }
  func findUnique() async throws -> T.Encoded? {
    try await both({ try $0.findUnique() }, { try await $0.findUnique() })
  }
}

extension AnyPropertyQuery where T: UUIDPropertyType {
  func findUUIDs() async throws -> [UUID] {
    try await both({ try $0.findUUIDs() }, { try await $0.findUUIDs() })
  }
  func findUniqueUUID() async throws -> UUID? {
    try await both({ try $0.findUniqueUUID() }, { try await $0.findUniqueUUID() })
  }
}

extension AnyPropertyQuery where T: EncodedPropertyType, T.Encoded == Decimal {
  func sum() async throws -> Decimal { try await both({ try $0.sum() }, { try await $0.sum() }) }
  func max() async throws -> Decimal { try await both({ try $0.max() }, { try await $0.max() }) }
  func min() async throws -> Decimal { try await both({ try $0.min() }, { try await $0.min() }) }
  func average() async throws -> Decimal {
    try await both({ try $0.average() }, { try await $0.average() })
  }
  func with(nullValue: Decimal) -> Self {
    Self(
      embedded: embedded?.with(nullValue: nullValue),
      cluster: cluster?.with(nullValue: nullValue)
    )
  }
}
