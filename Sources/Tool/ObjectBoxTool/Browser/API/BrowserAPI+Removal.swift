internal import ObjectBox
internal import ObjectBoxJSON

extension BrowserAPI {
  /// The effects of a removal, as counts of objects; nothing is removed.
  func removal(_ parameters: Parameters) throws -> Members {
    let entity = try parameters.entity
    let ids = try parameters.ids
    let (preview, labels) = try content.reading { version in
      let preview = try RemovalPreview(ids, of: entity, in: version, content.shape)
      var labels = ObjectLabels()
      for refusal in preview.refusals { labels.add(refusal.example, of: refusal.entity) }
      try labels.read(in: version, content.shape)
      return (preview, labels)
    }
    func list(
      _ effects: [RemovalPreview.Effect]
    ) -> (inout JSONWriter) -> Void {
      { $0.list(effects) { $0.object(Self.members(of: $1, labels)) } }
    }
    return [
      ("count", { $0.integer(preview.count) }), ("removed", list(preview.removed)),
      ("disconnected", list(preview.disconnected)), ("refusals", list(preview.refusals)),
      ("isCut", { $0.boolean(preview.isCut) }),
    ]
  }

  private static func members(of effect: RemovalPreview.Effect, _ labels: ObjectLabels) -> Members {
    var members: Members = [
      ("entity", { $0.string(effect.entity) }), ("count", { $0.integer(effect.shownCount) }),
      ("isMore", { $0.boolean(effect.isMore) }),
    ]
    guard let link = effect.relation else { return members }
    members += [
      ("kind", { $0.string(link.kind.rawValue) }), ("owner", { $0.string(link.owner.name) }),
      ("relation", { $0.string(link.name) }), ("example", { $0.id(effect.example) }),
      ("label", { $0.string(orNull: labels.label(effect.example, of: effect.entity)) }),
    ]
    return members
  }
}
