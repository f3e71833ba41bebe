/// Describes one entity of a model; generated code calls it.
///
/// A class for source compatibility.
public class EntityBuilder<T> {
  let model: ModelBuilder
  let index: Int

  init(model: ModelBuilder, index: Int) {
    self.model = model
    self.index = index
  }

  var entity: EntitySchema { model.schema.entities[index] }

  /// Sets a flag of the entity.
  public func flags(_ flags: EntityFlags) throws { try self.flags([flags]) }

  /// Sets flags of the entity.
  public func flags(_ flags: [EntityFlags]) throws {
    try self.flags(rawValue: flags.reduce(0) { $0 | $1.rawValue })
  }

  /// Sets flags by their numbers, including flags without a name.
  package func flags(rawValue: UInt32) throws {
    model.change(entity: index) { $0.flags = rawValue }
  }

  /// Number of properties with the flag `id`.
  package var idPropertyCount: Int { entity.properties.count { $0.has(.id) } }

  /// The IDs and UIDs of the properties so far.
  package var propertyIdentities: [SchemaIdentity] { entity.properties.map(\.identity) }

  /// Sets the name that the entity has outside of the store.
  public func externalName(_ name: String) throws {
    model.change(entity: index) { $0.externalName = name }
  }

  /// Adds a property with one flag.
  ///
  /// - Parameters:
  ///   - name: The name in the database.
  ///   - type: The type of its values.
  ///   - flags: Its flag.
  ///   - id: The number in the entity, from 1.
  ///   - uid: The UID.
  ///   - indexId: The number of its index; 0 for none.
  ///   - indexUid: The UID of its index; 0 for none.
  /// - Returns: The builder of the property, for further settings.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for 0, or for an ID, UID or name of an
  ///   earlier property.
  @discardableResult
  public func addProperty(
    name: String,
    type: PropertyType,
    flags: PropertyFlags,
    id: UInt32,
    uid: UInt64,
    indexId: UInt32 = 0,
    indexUid: UInt64 = 0
  ) throws -> PropertyBuilder {
    try addProperty(
      name: name,
      type: type,
      flags: [flags],
      id: id,
      uid: uid,
      indexId: indexId,
      indexUid: indexUid
    )
  }

  /// Adds a property.
  ///
  /// - Parameters:
  ///   - name: The name in the database.
  ///   - type: The type of its values.
  ///   - flags: Its flags.
  ///   - id: The number in the entity, from 1.
  ///   - uid: The UID.
  ///   - indexId: The number of its index; 0 for none.
  ///   - indexUid: The UID of its index; 0 for none.
  /// - Returns: The builder of the property, for further settings.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for 0, or for an ID, UID or name of an
  ///   earlier property.
  @discardableResult
  public func addProperty(
    name: String,
    type: PropertyType,
    flags: [PropertyFlags] = [],
    id: UInt32,
    uid: UInt64,
    indexId: UInt32 = 0,
    indexUid: UInt64 = 0
  ) throws -> PropertyBuilder {
    var title: String { "property '\(entity.name).\(name)'" }
    let identity = try ModelCheck.identity(id: id, uid: uid, of: title)
    try model.insertProperty(identity, name, ofEntity: index)
    guard id <= UInt32(UInt16.max / 2 - 2) else {
      throw ObjectBoxError.illegalArgument(
        message: "\(title) has ID \(id) in the model; the greatest is \(UInt16.max / 2 - 2)"
      )
    }
    var property = PropertySchema(identity: identity, name: name, type: type)
    property.flags = flags.reduce(0) { $0 | $1.rawValue }
    if indexId != 0, indexUid != 0 {
      property.index = SchemaIdentity(id: indexId, uid: indexUid)
    }
    var place = 0
    model.change(entity: index) { entity in
      place = entity.properties.count
      entity.properties.append(property)
    }
    return PropertyBuilder(model: model, entity: index, property: place)
  }

  /// Adds a to-one relation, which is a property of type `relation`.
  ///
  /// - Parameters:
  ///   - name: The name in the database.
  ///   - targetEntityInfo: The target entity.
  ///   - flags: Its flags.
  ///   - id: The number in the entity, from 1.
  ///   - uid: The UID.
  ///   - indexId: The number of its index.
  ///   - indexUid: The UID of its index.
  /// - Returns: The builder of the property.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` as for a property.
  @discardableResult
  public func addToOneRelation(
    name: String,
    targetEntityInfo: EntityInfo,
    flags: [PropertyFlags] = [],
    id: UInt32,
    uid: UInt64,
    indexId: UInt32 = 0,
    indexUid: UInt64 = 0
  ) throws -> PropertyBuilder {
    let builder = try addProperty(
      name: name,
      type: .relation,
      flags: flags,
      id: id,
      uid: uid,
      indexId: indexId,
      indexUid: indexUid
    )
    builder.change { $0.targetEntityName = targetEntityInfo.entityName }
    return builder
  }

  /// Adds a standalone to-many relation.
  ///
  /// - Parameters:
  ///   - id: The number in the model, from 1.
  ///   - uid: The UID.
  ///   - targetId: The number of the target entity.
  ///   - targetUid: The UID of the target entity.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for 0, or for an ID or UID of an
  ///   earlier relation.
  public func addToManyRelation(
    id: UInt32,
    uid: UInt64,
    targetId: UInt32,
    targetUid: UInt64
  ) throws {
    let title = "a to-many relation of '\(entity.name)'"
    let relation = RelationSchema(
      identity: try ModelCheck.identity(id: id, uid: uid, of: title),
      target: try ModelCheck.identity(id: targetId, uid: targetUid, of: "the target of \(title)")
    )
    try model.insertRelation(relation.identity, title, ofEntity: entity.name)
    model.change(entity: index) { $0.relations.append(relation) }
  }

  /// Sets the name of the relation added last, for tools and queries by name.
  ///
  /// - Parameter name: The name in the model.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when the entity has no relation yet.
  public func relationName(_ name: String) throws {
    try changeLastRelation { $0.name.value = name }
  }

  /// Sets the external name of the relation added last, for use outside of the store.
  public func relationExternalName(_ name: String) throws {
    try changeLastRelation { $0.externalName = name }
  }

  /// Sets the external type of the relation added last, for use outside of the store.
  public func relationExternalType(_ type: UInt32) throws {
    try changeLastRelation { $0.externalType = type }
  }

  /// Sets, for the relation added last, the effect of removing a source object on its targets.
  public func relationOnDelete(_ rule: DeleteRule) throws {
    try changeLastRelation { $0.onDelete = rule }
  }

  /// Sets, for the relation added last, the effect of removing a target on its source objects.
  public func relationOnTargetDelete(_ rule: DeleteRule) throws {
    try changeLastRelation { $0.onTargetDelete = rule }
  }

  private func changeLastRelation(_ body: (inout RelationSchema) -> Void) throws {
    guard !entity.relations.isEmpty else {
      throw ObjectBoxError.illegalState(
        message: "'\(entity.name)' has no relation yet; call addToManyRelation first"
      )
    }
    model.change(entity: index) { entity in
      body(&entity.relations[entity.relations.count - 1])
    }
  }

  /// Adds an index over several properties that were added before.
  ///
  /// - Parameters:
  ///   - id: The number of the index in the model, from 1.
  ///   - uid: The UID.
  ///   - propertyIds: The numbers of at least two properties. The index is ordered by the first
  ///     property, then by the second, and so on.
  ///   - isUnique: True if no two objects may have the same values. Objects with a null in one of
  ///     the properties are exempt.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for 0, fewer than two properties, a
  ///   repeated property, the object ID, or a property that the entity lacks.
  public func addCompoundIndex(
    id: UInt32,
    uid: UInt64,
    propertyIds: [UInt32],
    isUnique: Bool = false
  ) throws {
    let title = "an index over several properties of '\(entity.name)'"
    let identity = try ModelCheck.identity(id: id, uid: uid, of: title)
    for id in propertyIds {
      let property = entity.property(id: id)
      guard let property, !property.has(.id) else {
        throw ObjectBoxError.illegalArgument(
          message:
            "\(title) names property \(id), which is the ID or not in the model; run the generator "
            + "again"
        )
      }
    }
    guard propertyIds.count > 1, Set(propertyIds).count == propertyIds.count else {
      throw ObjectBoxError.illegalArgument(
        message: "\(title) is over \(propertyIds); give it at least two properties, each once"
      )
    }
    let index = CompoundIndexSchema(
      identity: identity,
      isUnique: isUnique,
      propertyIDs: propertyIds
    )
    model.change(entity: self.index) { $0.compoundIndexes.append(index) }
  }

  /// Adds a full-text index over properties that were added before.
  ///
  /// - Parameters:
  ///   - id: The number of the index in the model, from 1.
  ///   - uid: The UID.
  ///   - name: The name of an index over several properties; nil for an index of one.
  ///   - propertyIds: The numbers of 1 to 255 properties of type text.
  ///   - weights: How much an occurrence of a word counts in each of them, at least 1; empty for 1.
  ///   - language: The code of the language for stemming, such as `en`; nil for no stemming.
  ///   - prefixLengths: The lengths of the beginnings of words that are indexed too, from 1 to 16.
  ///   - keepsDiacritics: True if accents distinguish words.
  ///   - k1: The parameter of BM25 for repeated words, at least 0.
  ///   - b: The parameter of BM25 for the length of texts, from 0 to 1.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for a number out of its range, a property
  ///   that is no text, or a language whose rules this program lacks.
  public func addFullTextIndex(
    id: UInt32,
    uid: UInt64,
    name: String? = nil,
    propertyIds: [UInt32],
    weights: [UInt8] = [],
    language: String? = nil,
    prefixLengths: [Int] = [],
    keepsDiacritics: Bool = false,
    k1: Double = 1.2,
    b: Double = 0.75
  ) throws {
    let parts = propertyIds.enumerated().map { place, id in
      let weight = place < weights.count ? weights[place] : 1
      return FullTextIndexSchema.Part(propertyID: id, weight: weight)
    }
    var title = "a full-text index of '\(entity.name)'"
    let identity = try ModelCheck.identity(id: id, uid: uid, of: title)
    var index = FullTextIndexSchema(identity: identity, name: name, parts: parts)
    title += ", '\(index.title(in: entity))',"
    index.language = language
    index.prefixes = prefixLengths.compactMap { UInt8(exactly: $0) }.sorted()
    index.keepsDiacritics = keepsDiacritics
    if k1 != FullTextIndexSchema.usualK1 { index.k1 = k1 }
    if b != FullTextIndexSchema.usualB { index.b = b }
    let known = Set(entity.properties.filter { $0.type == .string }.map(\.identity.id))
    guard index.isPossible, Set(propertyIds).count == propertyIds.count,
      Set(propertyIds).isSubset(of: known),
      index.prefixes.count == prefixLengths.count,
      weights.isEmpty || weights.count == propertyIds.count
    else {
      throw ObjectBoxError.illegalArgument(
        message:
          "\(title) has the properties \(propertyIds), weights \(weights), prefixes \(prefixLengths), "
          + "k1 \(k1) and b \(b), which do not fit; run the generator again"
      )
    }
    do { index.tokenizer = try EngineCall.engine?.tokenizer(of: index) ?? [] } catch {
      throw ObjectBoxError.illegalArgument(message: "\(title) cannot be made: \(error)")
    }
    model.change(entity: self.index) { $0.fullTextIndexes.append(index) }
  }

  /// States the highest property ID that was ever given in the entity, and its UID.
  public func lastProperty(id: UInt32, uid: UInt64) throws {
    model.change(entity: index) { $0.lastProperty = SchemaIdentity(id: id, uid: uid) }
  }
}
