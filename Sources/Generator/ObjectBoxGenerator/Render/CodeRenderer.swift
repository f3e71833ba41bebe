/// Renders the Swift bindings of a synchronised schema.
package enum CodeRenderer {
  /// Returns the text of the generated file.
  ///
  /// All entities must have their model IDs.
  ///
  /// - Throws: ``MustacheError`` when the template does not fit.
  package static func render(
    _ schema: Schema,
    _ model: ModelDocument,
    visibility: String,
    usesCluster: Bool = false
  ) throws(MustacheError) -> String {
    try MustacheTemplate(Template.entityInfo, name: "EntityInfo.mustache")
      .render(context(schema, model, visibility: visibility, usesCluster: usesCluster))
  }

  /// Returns the context of the template, which user templates get too.
  static func context(
    _ schema: Schema,
    _ model: ModelDocument,
    visibility: String,
    usesCluster: Bool
  ) -> MustacheValue {
    // The options allow no other word.
    let visibility = AccessLevel(rawValue: visibility) ?? .internal
    let access = EntityAccess(schema, visibility: visibility)
    let entities = schema.entities.map { EntityContext(entity: $0, access: access) }
    let withIndexes = schema.entities.filter { !$0.fullTextIndexes.isEmpty }
    let withNamedIndexes = withIndexes.filter { $0.fullTextIndexes.contains { $0.name != nil } }
    // A public declaration must not use types of a module that is imported internally, and the
    // compiler warns about a public import that no public declaration uses. Beside imports without
    // a modifier, which then are public, the compiler refuses `package import`.
    func modifier(_ levels: [AccessLevel]) -> String {
      guard let level = levels.max(), level != .internal else { return "" }
      let isPlain = level == .package && visibility != .package && !schema.statesImportAccess
      return isPlain ? "" : "\(level) "
    }
    return [
      "marker": .text(GeneratedFile.marker),
      "visibility": .text(visibility.rawValue),
      "importAccess": .text(modifier([visibility] + schema.entities.map { access[$0] })),
      "foundationAccess": .text(modifier(entities.flatMap(\.accessesToFoundation))),
      "clusterAccess": .text(modifier([visibility])),
      "storeIsolation": .text(IsolationWord.text(IsolationWord.common(schema.entities))),
      "imports": .list(imports(of: entities).map { ["statement": .text($0)] }),
      "entities": .list(entities.map(\.value)),
      "usesFullText": .boolean(!withIndexes.isEmpty),
      "searchAccess": .text(modifier(withNamedIndexes.map { access[$0] })),
      "usesCluster": .boolean(usesCluster),
      "usesRawValues": .boolean(entities.contains(where: \.usesRawValues)),
      "usesKnownRawValues": .boolean(entities.contains(where: \.usesKnownRawValues)),
      "lastEntityID": .text("\(model.lastEntityID.id)"),
      "lastEntityUID": .text("\(model.lastEntityID.uid)"),
      "hasLastIndex": .boolean(model.lastIndexID.id != 0),
      "lastIndexID": .text("\(model.lastIndexID.id)"),
      "lastIndexUID": .text("\(model.lastIndexID.uid)"),
      "hasLastRelation": .boolean(model.lastRelationID.id != 0),
      "lastRelationID": .text("\(model.lastRelationID.id)"),
      "lastRelationUID": .text("\(model.lastRelationID.uid)"),
    ]
  }

  /// Returns each import once.
  ///
  /// If a module is imported with and without an access modifier, the form with the modifier wins,
  /// since Swift rejects both together.
  private static func imports(of entities: [EntityContext]) -> [String] {
    let all = Set(entities.flatMap(\.imports))
    return all.filter { !all.contains("internal " + $0) }.sorted()
  }
}
