public import ObjectBox
internal import ObjectBoxSyncProtocol

/// A rule of a ``SyncServer``: which objects of an entity a user may see, or may write, or how
/// conflicts of an entity are resolved.
public struct SyncRule: Sendable {
  /// What users may do with the objects of a rule.
  package enum Access: Sendable {
    case see
    case write
  }

  /// How a rule decides.
  enum Test: Sendable {
    /// By the condition of a user; nil for all objects.
    case condition(@Sendable (SyncUser) -> Condition?)
    /// By the user and the object; only rules of writes.
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

  /// Makes the rule of an entity that is known by its name.
  ///
  /// - Parameters:
  ///   - access: What the rule lets users do.
  ///   - entity: The name of the entity.
  ///   - condition: Returns the condition of a user; nil for all objects. It compares the same
  ///     properties for all users.
  package init(
    access: Access,
    entity: String,
    condition: @escaping @Sendable (SyncUser) -> Condition?
  ) {
    self.entity = entity
    kind = .access(access, .condition(condition))
  }

  /// Makes a rule of writes that looks at objects.
  init(entity: String, test: @escaping @Sendable (SyncUser, WrittenObject) throws -> Bool) {
    self.entity = entity
    kind = .access(.write, .object(test))
  }

  /// Makes a rule that resolves the conflicts of an entity.
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
/// The condition compares numbers, dates and texts for equality and order, and tests lists of texts by
/// `contains`, nil by `isNil` and `isNotNil`. Relations to synchronized entities, backlinks too, are
/// followed by `link`. Such conditions are connected by `||` and `&&`. Comparisons that ignore case or
/// look for parts of texts are refused when the server starts.
///
///     rule(Errand.self) { user in Errand.list.link { ErrandList.members.contains(user.id) } }
///
/// It is also a rule of the device's store: an object that no longer fulfils it leaves the device, with
/// the same delta, also when only the object behind a link has changed, or a pair of a relation. The links
/// of a user may lead to as many objects as ``SyncServer/Limits/scopes``. The server calls the closure at each login,
/// when a device changes its filter variables (``SyncUser/variable(_:)``), and once at its start with the anonymous
/// user, to learn which properties it compares.
///
/// - Parameters:
///   - type: The entity type, annotated with `objectbox: sync`.
///   - condition: Returns the condition of a user.
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
/// Without such a rule, an entity is read-only on devices: writes are rejected and undone there. A
/// change needs the right on the object before it and after it, an insert the right on the new
/// object.
///
/// - Parameters:
///   - type: The entity type, annotated with `objectbox: sync`.
///   - condition: Returns the condition of a user. It may compare properties in every way that queries
///     can, and follow relations of the object to synchronized entities by `link`, but no backlinks.
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

/// Lets users write the objects that fulfil a condition, which is made for each object.
///
///     write(Errand.self) { user, errand in
///       errand.isDone ? Errand.owner == user.id : Errand.team == user.claims["team"] ?? ""
///     }
///
/// The server calls the closure for the object before a change and after it, each time when it
/// decides a transaction, so it must be quick and without effects. The object's relations are not
/// loaded: a to-one relation has its target's ID.
///
/// - Parameters:
///   - type: The entity type, annotated with `objectbox: sync`.
///   - condition: Returns the condition of a user and an object. It may follow relations of the object to
///     synchronized entities by `link`, but no backlinks.
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
/// Otherwise as `write` with a condition of user and object.
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

/// Resolves the conflicts of an entity by a function, instead of by the entity's rule of conflicts.
///
///     resolve(Errand.self) { base, mine, theirs in
///       if mine.note != base.note, theirs.note != base.note { theirs.note += "\n" + mine.note }
///       return theirs
///     }
///
/// The server calls the function when a device has updated an object that others have changed since,
/// so that the database has other values than the device's program saw. It does not call it for
/// inserts, removals, removed objects, and devices whose model lacks the annotation; for these the
/// entity's own rule decides.
///
/// The returned object is written as an update of the device: the user needs the right to write it,
/// and unique values are checked. Its ID, its counters and its `ToMany` relations are ignored: they
/// stay as the database has them. A to-one relation has its target's ID, and is stored as returned.
/// The device is told each property to which the function has not given the device's value. An error
/// of the function rejects the device's transaction, with the first 500 characters of its text.
///
/// The function must depend on its parameters alone, have no effects and be quick: it runs inside of
/// the database's transaction, and again when that is repeated.
///
/// - Parameters:
///   - type: The entity type, annotated with `objectbox: sync = { "resolve": true }`.
///   - function: Gets three objects of its own: `base` is what the device's program saw when it
///     wrote, `mine` is `base` with the device's changes, and `theirs` is what the database has. It
///     returns the object to store, one of these or a new one.
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
