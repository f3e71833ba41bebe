internal import ObjectBoxCommandLine

/// Reads the settings that the annotations `fulltext` and `fulltextTogether` share.
struct FullTextSettingsRule {
  /// A reason why an annotation cannot be used, and the key with the fault.
  struct Fault: Error {
    var reason: String
    var key: String?
    var isKey = false
  }

  /// Codes of the languages that can be stemmed; must agree with the runtime's tokenizer.
  static let languages: Set<String> = [
    "ar", "ca", "da", "de", "el", "en", "es", "eu", "fi", "fr", "ga", "hi", "hu", "hy", "id", "it",
    "lt", "ne", "nl", "no", "pt", "ro", "ru", "sr", "sv", "ta", "tr", "yi",
  ]
  /// The greatest length of a prefix; must agree with the runtime's tokenizer.
  static let longestPrefix = 16

  /// Name of the annotation.
  let annotation: String

  /// Returns the settings of an annotation's object value; `others` are keys that are read
  /// elsewhere.
  func settings(
    _ options: [String: AnnotationValue],
    others: Set<String> = []
  ) throws(Fault) -> SchemaFullTextIndex.Settings {
    var settings = SchemaFullTextIndex.Settings()
    for (key, value) in options.sorted(by: { $0.key < $1.key }) where !others.contains(key) {
      switch key {
      case "language": settings.language = try word(value, key, Self.languages)
      case "prefix": settings.prefixLengths = try prefixLengths(value)
      case "diacritics":
        settings.keepsDiacritics = try word(value, key, ["fold", "keep"]) == "keep"
      case "k1": settings.k1 = try number(value, key, 0...100, usual: 1.2)
      case "b": settings.b = try number(value, key, 0...1, usual: 0.75)
      default:
        let known = Annotation.keys(annotation).subtracting(options.keys)
        throw Fault(
          reason: "the key '\(key)' is unknown"
            + EditDistance.advice(for: key, in: known),
          key: key,
          isKey: true
        )
      }
    }
    return settings
  }

  private func word(
    _ value: AnnotationValue,
    _ key: String,
    _ known: Set<String>
  ) throws(Fault) -> String {
    let text = value.string ?? ""
    guard !known.contains(text) else { return text }
    let reason =
      "the word '\(text)' of '\(key)' is none of \(known.sorted().joined(separator: ", "))"
    throw Fault(reason: reason, key: key)
  }

  /// Reads a list of lengths, or one length.
  private func prefixLengths(_ value: AnnotationValue) throws(Fault) -> [UInt8] {
    let elements = if case .list(let elements) = value { elements } else { [value] }
    var lengths: Set<UInt8> = []
    for element in elements {
      guard case .integer(let number) = element, let length = UInt8(exactly: number),
        (1...Self.longestPrefix).contains(Int(length))
      else {
        throw Fault(
          reason: "'prefix' is no list of whole numbers from 1 to \(Self.longestPrefix)",
          key: "prefix"
        )
      }
      lengths.insert(length)
    }
    return lengths.sorted()
  }

  /// Reads a number; nil for the usual one.
  private func number(
    _ value: AnnotationValue,
    _ key: String,
    _ range: ClosedRange<Double>,
    usual: Double
  ) throws(Fault) -> Double? {
    let number: Double? =
      switch value {
      case .integer(let number): Double(number)
      case .decimal(let number): number
      default: nil
      }
    guard let number, range.contains(number) else {
      let (least, greatest) = (Int(range.lowerBound), Int(range.upperBound))
      throw Fault(reason: "'\(key)' is no number from \(least) to \(greatest)", key: key)
    }
    return number == usual ? nil : number
  }

  /// Returns the place of a fault in an annotation.
  static func place(of fault: Fault, in item: Annotations.Item) -> SourceSpan {
    guard let key = fault.key else { return item.name }
    return fault.isKey ? item.keyPlace(key) : item.valuePlace(of: key)
  }
}
