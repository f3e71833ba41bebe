/// The error for an unknown key in the configuration.
struct UnknownKey: Error, CustomStringConvertible {
  /// The path of keys to the unknown key, which is last.
  let path: [String]
  let known: [String]

  var description: String {
    let list = known.map { "'\($0)'" }.joined(separator: ", ")
    return "there is no key '\(path.last ?? "")'; use one of: \(list)"
  }

  private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Throws ``UnknownKey`` for the alphabetically first unknown key of an object.
  static func check(_ decoder: any Decoder, known: [some CodingKey]) throws {
    let names = known.map(\.stringValue)
    let keys = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
    guard let unknown = keys.first(where: { !names.contains($0) }) else { return }
    throw UnknownKey(path: decoder.codingPath.map(\.stringValue) + [unknown], known: names)
  }
}
