import Foundation
package import ObjectBox

/// A model of the store fixtures, and the steps that write a store under it.
package struct StoreFixture: Sendable {
  /// A version of the model, and the data that is written under it.
  package struct Step: Sendable {
    package var entities: [any FixtureEntity.Type]
    package var lastIndex: UInt32 = 0
    package var lastRelation: UInt32 = 0
    package var fill: @Sendable (Store) throws -> Void

    package func model() throws -> ModelBuilder {
      try FixtureModel.builder(entities, lastIndex: lastIndex, lastRelation: lastRelation)
    }
  }

  /// The name of the model, as in a fixture's JSON text.
  package let model: String
  /// The versions of the model, in the order of their openings; the store is read under the last
  /// one.
  package let steps: [Step]
  /// The last version of the model.
  package var last: Step { steps[steps.count - 1] }
  package var entities: [any FixtureEntity.Type] { last.entities }

  package func open(path: String) throws -> Store { try Self.open(last, path: path) }

  package static func open(_ step: Step, path: String) throws -> Store {
    try Store(model: try step.model().finish(), directory: path, maxDbSizeInKByte: 4096)
  }

  /// Writes the store into a folder.
  package func write(path: String) throws {
    for step in steps {
      let store = try Self.open(step, path: path)
      try store.runInTransaction { try step.fill(store) }
      store.close()
    }
  }
}

extension Store {
  /// Puts objects of an entity.
  package func put<E: FixtureEntity>(_ entity: E.Type, _ objects: [Id: [String: JSON]]) throws {
    for (id, values) in objects.sorted(by: { $0.key < $1.key }) {
      try box(for: FixtureObject<E>.self).put(FixtureObject<E>(id: id, values))
    }
  }

  /// Puts new objects of an entity.
  package func put<E: FixtureEntity>(_ entity: E.Type, _ objects: [[String: JSON]]) throws {
    try box(for: FixtureObject<E>.self).put(objects.map { FixtureObject<E>($0) })
  }

  /// Removes objects of an entity, and applies its delete rules.
  package func remove<E: FixtureEntity>(_ entity: E.Type, _ ids: [Id]) throws {
    try box(for: FixtureObject<E>.self).remove(ids)
  }

  /// Returns a standalone relation of a source.
  package func relation<S: FixtureEntity, T: FixtureEntity>(
    _ id: UInt32,
    of source: Id,
    _ from: S.Type,
    to target: T.Type
  ) -> ToMany<FixtureObject<T>> {
    ToMany<FixtureObject<T>>.relation(
      sourceId: EntityId<FixtureObject<S>>(source),
      targetBox: box(for: FixtureObject<T>.self),
      relationId: id
    )
  }

  /// Adds targets to a standalone relation.
  package func relate<S: FixtureEntity, T: FixtureEntity>(
    _ id: UInt32,
    _ from: S.Type,
    _ source: Id,
    to target: T.Type,
    _ targets: [Id]
  ) throws {
    var relation = relation(id, of: source, from, to: target)
    relation.append(
      contentsOf: try box(for: FixtureObject<T>.self).get(targets).compactMap { $0 }
    )
    try relation.applyToDb()
  }
}
