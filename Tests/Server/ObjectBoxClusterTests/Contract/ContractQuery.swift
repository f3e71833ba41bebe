import Foundation
@testable import ObjectBox
@testable import ObjectBoxCluster

/// The calls of a built query that embedded stores and clusters share.
protocol ContractQuery<E> {
  associatedtype E: EntityInspectable & __EntityRelatable where E == E.EntityBindingType.EntityType

  func find(offset: Int, limit: Int) async throws -> [E]
  func findContiguous(offset: Int, limit: Int) async throws -> ContiguousArray<E>
  func findIds(offset: Int, limit: Int) async throws -> [EntityId<E>]
  func findFirst() async throws -> E?
  func findUnique() async throws -> E?
  func countAll() async throws -> Int
  func atMost(_ limit: Int) async throws -> Int
  func page(after cursor: PageCursor?, limit: Int) async throws -> QueryPage<E>
  func updateAll(_ change: (inout ObjectUpdate<E>) throws -> Void) async throws -> UInt64
  func remove() async throws -> UInt64
  func describe() -> String
  func values<T>(_ property: Property<E, T, Void>) -> AnyPropertyQuery<E, T>
  func values<T>(_ property: Property<E, T?, Void>) -> AnyPropertyQuery<E, T>
  func dates<V: DatePropertyType>(_ property: Property<E, V, Void>) -> AnyPropertyQuery<E, Int64>

  mutating func setParameter<V: ScalarPropertyType, T: FixedWidthInteger>(
    _ property: Property<E, V, Void>,
    to value: T
  ) where V.Scalar: FixedWidthInteger
  mutating func setParameter<T: FixedWidthInteger>(_ alias: String, to value: T)
  mutating func setParameters<V: ScalarPropertyType, T: FixedWidthInteger>(
    _ property: Property<E, V, Void>,
    to a: T,
    _ b: T
  ) where V.Scalar: FixedWidthInteger
  mutating func setParameters<T: FixedWidthInteger>(_ alias: String, to a: T, _ b: T)
  mutating func setParameters<V: ScalarPropertyType, T: FixedWidthInteger>(
    _ property: Property<E, V, Void>,
    to values: [T]
  ) where V.Scalar: FixedWidthInteger
  mutating func setParameters<T: FixedWidthInteger>(_ alias: String, to values: [T])
  mutating func setParameter<V: ScalarPropertyType>(
    _ property: Property<E, V, Void>,
    to value: Bool
  )
  where V.Scalar == Bool
  mutating func setParameter(_ alias: String, to value: Bool)
  mutating func setParameter<V: ScalarPropertyType, T: BinaryFloatingPoint>(
    _ property: Property<E, V, Void>,
    to value: T
  ) where V.Scalar: BinaryFloatingPoint
  mutating func setParameter<T: BinaryFloatingPoint>(_ alias: String, to value: T)
  mutating func setParameters<V: ScalarPropertyType, T: BinaryFloatingPoint>(
    _ property: Property<E, V, Void>,
    to a: T,
    _ b: T
  ) where V.Scalar: BinaryFloatingPoint
  mutating func setParameters<T: BinaryFloatingPoint>(_ alias: String, to a: T, _ b: T)
  mutating func setParameter<V: ScalarPropertyType, T: BinaryFloatingPoint>(
    _ property: Property<E, V, Void>,
    toEqual value: T,
    tolerance: T
  ) where V.Scalar: BinaryFloatingPoint
  mutating func setParameters<T: BinaryFloatingPoint>(
    _ alias: String,
    toEqual value: T,
    tolerance: T
  )
  mutating func setParameter<V: StringPropertyType>(
    _ property: Property<E, V, Void>,
    to text: String
  )
  mutating func setParameter(_ alias: String, to text: String)
  mutating func setParameters<V: StringPropertyType>(
    _ property: Property<E, V, Void>,
    to texts: [String]
  )
  mutating func setParameters(_ alias: String, to texts: [String])
  mutating func setParameter<V: DatePropertyType>(_ property: Property<E, V, Void>, to date: Date)
  mutating func setParameter(_ alias: String, to date: Date)
  mutating func setParameters<V: DatePropertyType, C: Collection>(
    _ property: Property<E, V, Void>,
    to dates: C
  ) where C.Element == Date
  mutating func setParameters<C: Collection>(_ alias: String, to dates: C) where C.Element == Date
  mutating func setParameters<V: DatePropertyType>(
    _ property: Property<E, V, Void>,
    to a: Date,
    _ b: Date
  )
  mutating func setParameters(_ alias: String, to a: Date, _ b: Date)
  mutating func setParameter<V: DataPropertyType>(_ property: Property<E, V, Void>, to data: Data)
  mutating func setParameter(_ alias: String, to data: Data)
  mutating func setParameter<V: EncodedPropertyType>(
    _ property: Property<E, V, Void>,
    to value: V.Encoded
  )
  mutating func setParameter<V: EncodedValue>(_ alias: String, to value: V)
  mutating func setParameters<V: EncodedPropertyType>(
    _ property: Property<E, V, Void>,
    to values: [V.Encoded]
  )
  mutating func setParameters<V: EncodedValue>(_ alias: String, to values: [V])
  mutating func setParameters<V: EncodedPropertyType>(
    _ property: Property<E, V, Void>,
    to a: V.Encoded,
    _ b: V.Encoded
  ) where V.Encoded: OrderedEncodedValue
  mutating func setParameter<V: IntegerVectorPropertyType, T: FixedWidthInteger>(
    _ property: Property<E, V, Void>,
    to value: T
  )
  mutating func setParameter<V: FloatVectorPropertyType, T: BinaryFloatingPoint>(
    _ property: Property<E, V, Void>,
    to value: T
  )
  mutating func setParameter<V: StringVectorPropertyType>(
    _ property: Property<E, V, Void>,
    to text: String
  )
}

extension ContractQuery {
  func ids(offset: Int = 0, limit: Int = 0) async throws -> [UInt64] {
    try await findIds(offset: offset, limit: limit).map(\.value)
  }
}

extension Query: ContractQuery {
  func countAll() async throws -> Int { try count() }
  func atMost(_ limit: Int) async throws -> Int { try count(limit: limit) }
  func page(after cursor: PageCursor?, limit: Int) async throws -> QueryPage<E> {
    try find(after: cursor, limit: limit)
  }
  func updateAll(_ change: (inout ObjectUpdate<E>) throws -> Void) async throws -> UInt64 {
    try update(change)
  }
  func describe() -> String { describeConditions() }

  func values<T>(_ property: Property<E, T, Void>) -> AnyPropertyQuery<E, T> {
    AnyPropertyQuery(embedded: self.property(property), cluster: nil)
  }

  func values<T>(_ property: Property<E, T?, Void>) -> AnyPropertyQuery<E, T> {
    AnyPropertyQuery(embedded: self.property(property), cluster: nil)
  }

  func dates<V: DatePropertyType>(_ property: Property<E, V, Void>) -> AnyPropertyQuery<E, Int64> {
    AnyPropertyQuery(embedded: propertyInt64(property), cluster: nil)
  }
}

extension ClusterQuery: ContractQuery {
  func countAll() async throws -> Int { try await count() }
  func atMost(_ limit: Int) async throws -> Int { try await count(limit: limit) }
  func page(after cursor: PageCursor?, limit: Int) async throws -> QueryPage<E> {
    try await find(after: cursor, limit: limit)
  }
  func updateAll(_ change: (inout ObjectUpdate<E>) throws -> Void) async throws -> UInt64 {
    try await update(change)
  }

  func values<T>(_ property: Property<E, T, Void>) -> AnyPropertyQuery<E, T> {
    AnyPropertyQuery(embedded: nil, cluster: self.property(property))
  }

  func values<T>(_ property: Property<E, T?, Void>) -> AnyPropertyQuery<E, T> {
    AnyPropertyQuery(embedded: nil, cluster: self.property(property))
  }

  func dates<V: DatePropertyType>(_ property: Property<E, V, Void>) -> AnyPropertyQuery<E, Int64> {
    AnyPropertyQuery(embedded: nil, cluster: propertyInt64(property))
  }
}
