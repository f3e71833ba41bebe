public import ObjectBox
internal import ObjectBoxSyncProtocol

/// A rule of a ``SyncServer``: the objects of an entity that a user may see or write, or the resolution of an entity's
/// conflicts.
public struct SyncRule: Sendable {
  /// The right that a rule gives.
  package enum Access: Sendable {
    case see
    case write
  }

  /// The test of a rule.
  enum Test: Sendable {
    /// A condition for a user; nil for all objects.
    case condition(@Sendable (SyncUser) -> Condition?)
    /// A test of the user and the object, for rules of writes only.
    case object(@Sendable (SyncUser, WrittenObject) throws -> Bool)
  }

  /// The content of a rule.
  enum Kind: Sendable {
    /// The objects that users may see or write.
    case access(Access, Test)
    /// The values that an object gets in a conflict.
    case resolution(@Sendable (ConflictingObjects) throws -> PropertyList<PropertyValue>)
  }

  /// The most values of a comparison by inequality.
  package static let comparisonLimit = Scope.limit

  /// The name of the entity.
  let entity: String
  let kind: Kind

  /// Creates the rule of an entity that is known by its name.
  ///
  /// - Parameters:
  ///   - access: The right that the rule gives.
  ///   - entity: The name of the entity.
  ///   - condition: Returns the condition for a user; nil for all objects. It compares the same properties for all
  ///     users.
  package init(
    access: Access,
    entity: String,
    condition: @escaping @Sendable (SyncUser) -> Condition?
  ) {
    self.entity = entity
    kind = .access(access, .condition(condition))
  }

  /// Creates a rule of writes that tests objects.
  init(entity: String, test: @escaping @Sendable (SyncUser, WrittenObject) throws -> Bool) {
    self.entity = entity
    kind = .access(.write, .object(test))
  }

  /// Creates a rule that resolves the conflicts of an entity.
  init(
    entity: String,
    resolution:
      @escaping @Sendable (ConflictingObjects) throws -> PropertyList<PropertyValue>
  ) {
    self.entity = entity
    kind = .resolution(resolution)
  }
}

/// Lets users see the objects that fulfil a condition.
///
///     rule(Errand.self) { user in Errand.owner == user.id }
///
/// The condition compares numbers, dates and texts for equality and order. It tests lists of texts by `contains`, and
/// null by `isNil` and `isNotNil`. It follows relations to synchronized entities and their backlinks by `link`. `||`
/// and `&&` connect such conditions. If a condition ignores case or searches for parts of texts, the server does not
/// start.
///
///     rule(Errand.self) { user in Errand.list.link { ErrandList.members.contains(user.id) } }
///
/// It is also a rule of the device's store: an object that no longer fulfils the condition leaves the device with the
/// same delta. That includes changes of only a link's target or of a relation's pair. The links of a user may
/// lead to as many objects as ``SyncServer/Limits/scopes``. The server calls the closure at each login and when a
/// device changes its filter variables (``SyncUser/variable(_:)``). At its start, the server calls it once with the
/// anonymous user, to learn which properties it compares.
///
/// - Parameters:
///   - type: The entity type, annotated with `objectbox: sync`.
///   - condition: Returns the condition for a user.
/// - Returns: The rule. Several rules of an entity add up.
public func rule<E>(
  _ type: E.Type,
  where condition: @escaping @Sendable (SyncUser) -> QueryCondition<E>
) -> SyncRule
where
  E: EntityInspectable & __EntityRelatable & SendableMetatype,
  E == E.EntityBindingType.EntityType
{
  SyncRule(access: .see, entity: E.entityInfo.entityName) { condition($0).condition }
}

/// Lets all users see all objects of an entity.
///
/// - Parameter type: The entity type, annotated with `objectbox: sync`.
/// - Returns: The rule.
public func rule<E>(_ type: E.Type) -> SyncRule
where
  E: EntityInspectable & __EntityRelatable & SendableMetatype,
  E == E.EntityBindingType.EntityType
{
  SyncRule(access: .see, entity: E.entityInfo.entityName) { _ in nil }
}

/// Lets users write the objects that fulfil a condition.
///
/// An entity without such a rule is read-only on devices: the server rejects writes, and the devices undo them. A
/// change needs the right on the object before and after it, an insert the right on the new object.
///
/// - Parameters:
///   - type: The entity type, annotated with `objectbox: sync`.
///   - condition: Returns the condition for a user. It may use every comparison of properties that queries can use, and
///     follow relations of the object to synchronized entities by `link`, but no backlinks.
/// - Returns: The rule. Several rules of an entity add up.
public func write<E>(
  _ type: E.Type,
  where condition: @escaping @Sendable (SyncUser) -> QueryCondition<E>
) -> SyncRule
where
  E: EntityInspectable & __EntityRelatable & SendableMetatype,
  E == E.EntityBindingType.EntityType
{
  SyncRule(access: .write, entity: E.entityInfo.entityName) { condition($0).condition }
}

/// Lets users write the objects that fulfil a condition of user and object.
///
///     write(Errand.self) { user, errand in
///       errand.isDone ? Errand.owner == user.id : Errand.team == user.claims["team"] ?? ""
///     }
///
/// The server calls the closure for the object before and after a change, each time it decides a transaction. So it
/// must be quick and have no effects. The object's relations are not loaded: a to-one relation has its target's ID.
///
/// - Parameters:
///   - type: The entity type, annotated with `objectbox: sync`.
///   - condition: Returns the condition for a user and an object. It may follow relations of the object to synchronized
///     entities by `link`, but no backlinks.
/// - Returns: The rule. Several rules of an entity add up.
public func write<E>(
  _ type: E.Type,
  where condition: @escaping @Sendable (SyncUser, E) -> QueryCondition<E>
) -> SyncRule
where
  E: EntityInspectable & __EntityRelatable & SendableMetatype,
  E == E.EntityBindingType.EntityType
{
  SyncRule(entity: E.entityInfo.entityName) { user, written in
    try written.fulfils(condition(user, written.object(E.self)).condition)
  }
}

/// Lets users write the objects that a function accepts.
///
///     write(Errand.self) { user, errand in errand.owner == user.id && !errand.isDone }
///
/// Otherwise the same as `write` with a condition of user and object.
///
/// - Parameters:
///   - type: The entity type, annotated with `objectbox: sync`.
///   - accepts: Returns true if the user may write the object.
/// - Returns: The rule. Several rules of an entity add up.
public func write<E>(
  _ type: E.Type,
  where accepts: @escaping @Sendable (SyncUser, E) -> Bool
) -> SyncRule
where
  E: EntityInspectable & __EntityRelatable & SendableMetatype,
  E == E.EntityBindingType.EntityType
{
  SyncRule(entity: E.entityInfo.entityName) { user, written in
    accepts(user, try written.object(E.self))
  }
}

/// Lets all users write all objects of an entity.
///
/// - Parameter type: The entity type, annotated with `objectbox: sync`.
/// - Returns: The rule.
public func write<E>(_ type: E.Type) -> SyncRule
where
  E: EntityInspectable & __EntityRelatable & SendableMetatype,
  E == E.EntityBindingType.EntityType
{
  SyncRule(access: .write, entity: E.entityInfo.entityName) { _ in nil }
}

/// Resolves the conflicts of an entity by a function instead of the entity's own conflict rule.
///
///     resolve(Errand.self) { base, mine, theirs in
///       if mine.note != base.note, theirs.note != base.note { theirs.note += "\n" + mine.note }
///       return theirs
///     }
///
/// The server calls the function when others have changed the object since the device saw it, so that the database has
/// other values than the device's program saw. It does not call it for inserts, removals, removed objects, and devices
/// whose model lacks the annotation: the entity's own rule decides these.
///
/// The returned object is written as an update of the device: the user needs the right to write it, and unique values
/// are checked. The server ignores the object's ID, its counters and its `ToMany` relations, and keeps those of the
/// database. A to-one relation has its target's ID, and is stored as returned. The device gets a report of each
/// property whose value is not the device's. If the function throws, the device's transaction is rejected, with the
/// first 500 characters of the error's text.
///
/// The function must depend only on its parameters, have no effects and be quick: it runs inside the database's
/// transaction, and again when that transaction is repeated.
///
/// - Parameters:
///   - type: The entity type, annotated with `objectbox: sync = { "resolve": true }`.
///   - function: Gets three objects: `base` has the values that the device's program saw when it wrote, `mine` is
///     `base` with the device's changes, and `theirs` has the values of the database. It returns the object to store:
///     one of these or a new one.
/// - Returns: The rule. An entity can have one.
public func resolve<E>(
  _ type: E.Type,
  by function: @escaping @Sendable (_ base: E, _ mine: E, _ theirs: E) throws -> E
) -> SyncRule
where
  E: EntityInspectable & __EntityRelatable & SendableMetatype,
  E == E.EntityBindingType.EntityType
{
  SyncRule(entity: E.entityInfo.entityName, resolution: { try $0.resolved(by: function) })
}

/// Collects the rules of a ``SyncServer``.
@resultBuilder
public enum SyncRulesBuilder {
  /// Returns the rules of a block.
  public static func buildBlock(_ rules: [SyncRule]...) -> [SyncRule] { rules.flatMap { $0 } }

  /// Returns one rule as a list.
  public static func buildExpression(_ rule: SyncRule) -> [SyncRule] { [rule] }

  /// Returns the rules of an `if` without `else`.
  public static func buildOptional(_ rules: [SyncRule]?) -> [SyncRule] { rules ?? [] }

  /// Returns the rules of the first branch.
  public static func buildEither(first rules: [SyncRule]) -> [SyncRule] { rules }

  /// Returns the rules of the second branch.
  public static func buildEither(second rules: [SyncRule]) -> [SyncRule] { rules }

  /// Returns the rules of a loop.
  public static func buildArray(_ rules: [[SyncRule]]) -> [SyncRule] { rules.flatMap { $0 } }
}
