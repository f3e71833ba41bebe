import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

/// Rolls a transaction back.
private struct Stop: Error {}

/// A fresh store of any kind, with the functions that embedded stores and clusters share.
struct AnyStore {
  /// A plain or an encrypted store; nil for a cluster.
  let embedded: Store?
  let cluster: Cluster?

  init(_ kind: StoreKind) async throws {
    switch kind {
    case .embedded:
      embedded = try Store(directoryPath: "memory:\(UUID().uuidString)")
      cluster = nil
    case .encrypted:
      embedded = try StoreKind.encryptedStore()
      cluster = nil
    case .cluster:
      embedded = nil
      cluster = try await TestServer.cluster()
    }
  }

  func box<E>(_ type: E.Type = E.self) -> AnyBox<E>
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    AnyBox(embedded: embedded?.box(for: E.self), cluster: cluster?.box(for: E.self))
  }

  /// Puts objects in several steps of a transaction that is rolled back.
  func rollingBack<E>(_ objects: [[E]]) async throws
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    do {
      if let embedded {
        try await embedded.write { transaction in
          for batch in objects { try transaction.put(batch) }
          throw Stop()
        }
      } else {
        try await cluster?.write { transaction in
          for batch in objects {
            try await transaction.put(batch)
            // Sends each batch.
            _ = try await transaction.box(for: E.self).count()
          }
          throw Stop()
        }
      }
    } catch is Stop {}
  }

  /// Returns the IDs of a relation's targets, ascending.
  func ids<S>(_ relation: ToMany<S>) async throws -> [Id]
  where S: EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
    try await relation.loadIds().map(\.value)
  }

  /// Loads the objects of a relation.
  func load<S>(_ relation: ToMany<S>) async throws
  where S: EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
    try await relation.load()
  }
}

/// A box of a store of any kind.
struct AnyBox<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  let embedded: Box<E>?
  let cluster: ClusterBox<E>?

  private func both<T>(
    _ a: (Box<E>) throws -> T,
    _ b: (ClusterBox<E>) async throws -> T
  ) async throws -> T {
    if let embedded { return try a(embedded) }
    return try await b(try #require(cluster))
  }

  @discardableResult
  func put(_ object: E, mode: PutMode = .put) async throws -> Id {
    try await both {
      try $0.put(object, mode: mode).value
    } _: {
      try await $0.put(object, mode: mode).value
    }
  }

  func put(_ objects: [E], mode: PutMode = .put) async throws {
    try await both {
      try $0.put(objects, mode: mode)
    } _: {
      try await $0.put(objects, mode: mode)
    }
  }

  func put(_ object: inout E) async throws {
    if let embedded { _ = try embedded.put(&object) } else { _ = try await cluster?.put(&object) }
  }

  func put(_ objects: inout [E]) async throws {
    if let embedded { try embedded.put(&objects) } else { try await cluster?.put(&objects) }
  }

  func get(_ id: Id) async throws -> E? {
    try await both {
      try $0.get(id)
    } _: {
      try await $0.get(id)
    }
  }

  func get(_ ids: [Id], maxCount: Int = 0) async throws -> [E] {
    try await both {
      try $0.get(ids, maxCount: maxCount)
    } _: {
      try await $0.get(ids, maxCount: maxCount)
    }
  }

  func getAsDictionary(_ ids: [Id]) async throws -> [Id: E] {
    try await both {
      try $0.getAsDictionary(ids)
    } _: {
      try await $0.getAsDictionary(ids)
    }
  }

  func all() async throws -> [E] {
    try await both {
      try $0.all()
    } _: {
      try await $0.all()
    }
  }

  func count(limit: Int = 0) async throws -> Int {
    try await both {
      try $0.count(limit: limit)
    } _: {
      try await $0.count(limit: limit)
    }
  }

  func isEmpty() async throws -> Bool {
    try await both {
      try $0.isEmpty()
    } _: {
      try await $0.isEmpty()
    }
  }

  func contains(_ ids: [Id]) async throws -> Bool {
    let ids = ids.map { E.EntityBindingType.IdType($0) }
    return try await both {
      try $0.contains(ids)
    } _: {
      try await $0.contains(ids)
    }
  }

  @discardableResult
  func remove(_ id: Id) async throws -> Bool {
    try await both {
      try $0.remove(id)
    } _: {
      try await $0.remove(id)
    }
  }

  @discardableResult
  func remove(_ object: E) async throws -> Bool {
    try await both {
      try $0.remove(object)
    } _: {
      try await $0.remove(object)
    }
  }

  @discardableResult
  func remove(_ ids: [Id]) async throws -> UInt64 {
    try await both {
      try $0.remove(ids)
    } _: {
      try await $0.remove(ids)
    }
  }

  @discardableResult
  func removeAll() async throws -> UInt64 {
    try await both {
      try $0.removeAll()
    } _: {
      try await $0.removeAll()
    }
  }

  func visit(_ visitor: (E) throws -> Bool) async throws {
    try await both {
      try $0.visit(visitor: visitor)
    } _: {
      try await $0.visit { try visitor($0) }
    }
  }

  func visit(_ ids: [Id], _ visitor: (E?) throws -> Bool) async throws {
    let ids = ids.map { E.EntityBindingType.IdType($0) }
    try await both {
      try $0.visit(ids, in: visitor)
    } _: {
      try await $0.visit(ids) { try visitor($0) }
    }
  }
}
