import ObjectBox
import Testing

@testable import ObjectBoxCluster

/// The other overloads of the boxes' calls.
extension AnyBox {
  private func both<T>(
    _ a: (Box<E>) throws -> T,
    _ b: (ClusterBox<E>) async throws -> T
  ) async throws -> T {
    if let embedded { return try a(embedded) }
    return try await b(try #require(cluster))
  }

  func put(_ a: E, _ b: E, mode: PutMode = .put) async throws {
    try await both({ try $0.put(a, b, mode: mode) }, { try await $0.put(a, b, mode: mode) })
  }

  func put(all objects: some Collection<E>, mode: PutMode = .put) async throws {
    try await both({ try $0.put(objects, mode: mode) }, { try await $0.put(objects, mode: mode) })
  }

  @discardableResult
  func putAndReturnIDs(_ objects: some Collection<E>, mode: PutMode = .put) async throws -> [Id] {
    try await both(
      { try $0.putAndReturnIDs(objects, mode: mode).map(\.value) },
      { try await $0.putAndReturnIDs(objects, mode: mode).map(\.value) }
    )
  }

  func get(typed id: EntityId<E>) async throws -> E? {
    try await both({ try $0.get(id) }, { try await $0.get(id) })
  }

  func get(typed ids: some Collection<EntityId<E>>, maxCount: Int = 0) async throws -> [E] {
    try await both(
      { try $0.get(ids, maxCount: maxCount) },
      { try await $0.get(ids, maxCount: maxCount) }
    )
  }

  func getAsDictionary(typed ids: [EntityId<E>]) async throws -> [EntityId<E>: E] {
    try await both({ try $0.getAsDictionary(ids) }, { try await $0.getAsDictionary(ids) })
  }

  func get<V: StringPropertyType>(
    where property: Property<E, V, Void>,
    equals value: String
  ) async throws -> E? {
    try await both(
      { try $0.get(where: property, equals: value) },
      { try await $0.get(where: property, equals: value) }
    )
  }

  func get<V: FixedWidthInteger & EntityPropertyTypeConvertible>(
    where property: Property<E, V?, Void>,
    equals value: V
  ) async throws -> E? {
    try await both(
      { try $0.get(where: property, equals: value) },
      { try await $0.get(where: property, equals: value) }
    )
  }

  func allContiguous() async throws -> ContiguousArray<E> {
    try await both({ try $0.allContiguous() }, { try await $0.allContiguous() })
  }

  func forEach(_ visitor: (E) throws -> Void) async throws {
    try await both({ try $0.forEach(visitor) }, { try await $0.forEach { try visitor($0) } })
  }

  func `for`(
    _ ids: some Collection<E.EntityBindingType.IdType>,
    in visitor: (E?) throws -> Void
  ) async throws {
    try await both({ try $0.for(ids, in: visitor) }, { try await $0.for(ids) { try visitor($0) } })
  }

  @discardableResult
  func remove(objects: some Collection<E>) async throws -> UInt64 {
    try await both({ try $0.remove(objects) }, { try await $0.remove(objects) })
  }

  @discardableResult
  func remove(_ a: E, _ b: E) async throws -> UInt64 {
    try await both({ try $0.remove(a, b) }, { try await $0.remove(a, b) })
  }

  @discardableResult
  func remove(typed id: EntityId<E>) async throws -> Bool {
    try await both({ try $0.remove(id) }, { try await $0.remove(id) })
  }

  @discardableResult
  func remove(typed ids: some Collection<EntityId<E>>) async throws -> UInt64 {
    try await both({ try $0.remove(ids) }, { try await $0.remove(ids) })
  }
}

/// Structs returned with their IDs, by the functions generated for their type.
extension AnyStore {
  func put(structs pupils: [Pupil]) async throws -> [Pupil] {
    if let embedded { return try embedded.box(for: Pupil.self).put(structs: pupils) }
    return try await #require(cluster).box(for: Pupil.self).put(structs: pupils)
  }

  func put(struct pupil: Pupil) async throws -> Pupil {
    if let embedded { return try embedded.box(for: Pupil.self).put(struct: pupil) }
    return try await #require(cluster).box(for: Pupil.self).put(struct: pupil)
  }

  func put(struct parcel: Parcel) async throws -> Parcel {
    if let embedded { return try embedded.box(for: Parcel.self).put(struct: parcel) }
    return try await #require(cluster).box(for: Parcel.self).put(struct: parcel)
  }

  func put(structs senders: [Sender]) async throws -> [Sender] {
    if let embedded { return try embedded.box(for: Sender.self).put(structs: senders) }
    return try await #require(cluster).box(for: Sender.self).put(structs: senders)
  }
}
