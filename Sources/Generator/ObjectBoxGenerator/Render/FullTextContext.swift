/// The template's context for one full-text index.
struct FullTextContext {
  let index: SchemaFullTextIndex

  var value: MustacheValue {
    [
      "id": .text("\(index.modelID?.id ?? 0)"),
      "uid": .text("\(index.modelID?.uid ?? 0)"),
      "isNamed": .boolean(index.name != nil),
      "name": .text(SwiftName.escaped(index.name ?? "")),
      "plainName": .text(index.name ?? ""),
      "arguments": .text(arguments),
    ]
  }

  /// Arguments of `addFullTextIndex` after the UID; arguments with the default are left out.
  private var arguments: String {
    let settings = index.settings
    let arguments: [(String, String?)] = [
      ("name", index.name?.literal),
      ("propertyIds", list(index.propertyIDs.map(\.id))),
      ("weights", index.weights.isEmpty ? nil : list(index.weights)),
      ("language", settings.language?.literal),
      ("prefixLengths", settings.prefixLengths.isEmpty ? nil : list(settings.prefixLengths)),
      ("keepsDiacritics", settings.keepsDiacritics ? "true" : nil),
      ("k1", settings.k1.map { "\($0)" }),
      ("b", settings.b.map { "\($0)" }),
    ]
    return arguments.compactMap { label, value in value.map { "\(label): \($0)" } }
      .joined(separator: ", ")
  }

  private func list(_ numbers: [some BinaryInteger]) -> String {
    "[" + numbers.map { "\($0)" }.joined(separator: ", ") + "]"
  }
}
