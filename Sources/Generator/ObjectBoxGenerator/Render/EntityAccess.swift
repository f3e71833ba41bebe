/// The access of the generated declarations of entities.
///
/// Swift requires for a type the access of the type itself: members that satisfy a public protocol
/// must not have less, and members with a type must not have more. Where the sources do not say the
/// access of an entity, it is taken to be the visibility in the options.
struct EntityAccess {
  /// The visibility in the options.
  let visibility: AccessLevel
  private let targets: [String: AccessLevel]

  init(_ schema: Schema, visibility: AccessLevel) {
    self.visibility = visibility
    targets = Dictionary(
      schema.entities.map { ($0.qualifiedName, $0.access ?? visibility) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  subscript(_ entity: SchemaEntity) -> AccessLevel { entity.access ?? visibility }

  subscript(_ property: SchemaProperty, of entity: SchemaEntity) -> AccessLevel {
    member(of: entity, declared: property.access, target: property.targetType)
  }

  subscript(_ relation: SchemaRelation, of entity: SchemaEntity) -> AccessLevel {
    member(of: entity, declared: relation.access, target: relation.targetType)
  }

  /// Returns the access of a member for conditions.
  ///
  /// With the visibility of the options, an entity shows all its members. With another access, it
  /// shows what the sources show.
  private func member(
    of entity: SchemaEntity,
    declared: AccessLevel,
    target: String?
  ) -> AccessLevel {
    let access = self[entity]
    let shown = access == visibility ? access : min(access, declared)
    return min(shown, target.flatMap { targets[$0] } ?? shown)
  }
}
