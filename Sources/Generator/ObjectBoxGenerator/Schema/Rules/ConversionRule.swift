/// Determines the conversion of a property: by its `codable` or `convert` annotation, or for a C
/// enum without one.
enum ConversionRule {
  enum Outcome {
    case conversion(Conversion)
    case faults([Diagnostic])
  }

  /// Returns the conversion of a variable; nil when it has none.
  static func outcome(for stored: StoredVariable) -> Outcome? {
    if let item = stored.annotations["codable"] {
      return CodableRule.conversion(item, of: stored)
    }
    if let item = stored.annotations["convert"] { return conversion(item, of: stored) }
    return CTypeRule.conversion(of: stored.type, stored.names).map { .conversion($0) }
  }

  /// Returns the imports that generated code needs for a conversion.
  static func imports(for conversion: Conversion, of stored: StoredVariable) -> [String] {
    conversion.isCodable
      ? CodableRule.imports(for: conversion, of: stored) : CTypeRule.imports(for: stored)
  }

  /// Returns the conversion for a `convert` annotation; the property's type must be resolved.
  private static func conversion(_ item: Annotations.Item, of stored: StoredVariable) -> Outcome {
    let (type, names) = (stored.type, stored.names)
    var options: [String: String] = [:]
    switch item.value {
    case .text(let type): options["dbType"] = type
    case .dictionary(let dictionary):
      let read = AnnotationRule.texts("convert", item, dictionary, of: stored.path)
      guard read.diagnostics.isEmpty else { return .faults(read.diagnostics) }
      options = read.texts
    default:
      let fixIts = names.rawType(of: type.name) == nil ? [] : fixIts(item, of: stored)
      return .faults([
        Diagnostic(.emptyConversion(stored.path), at: item.whole, fixIts: fixIts)
      ])
    }
    // An empty text counts as missing.
    options = options.filter { !$0.value.isEmpty }

    let asked = options["dbType"].map { names.resolve(DeclaredType($0), in: stored.owner) }
    guard let databaseType = asked ?? names.rawType(of: type.name) else {
      let message = DiagnosticMessage.conversionWithoutType(stored.name, entity: stored.owner)
      return .faults([Diagnostic(message, at: item.name)])
    }
    var conversion = Conversion(
      databaseType: databaseType.text,
      converter: options["converter"],
      defaultValue: options["default"]
    )
    CTypeRule.complete(&conversion, of: type, names)
    if conversion.converter == nil, conversion.defaultValue == nil, !type.isOptional,
      !conversion.isTotal
    {
      let message = DiagnosticMessage.conversionWithoutDefault(stored.name, entity: stored.owner)
      return .faults([Diagnostic(message, at: item.name, fixIts: fixIts(item, of: stored))])
    }
    conversion.keepNil(of: type)
    return .conversion(conversion)
  }

  /// Returns the fix that adds a default to a conversion; empty for types that are not enums of the
  /// sources.
  private static func fixIts(_ item: Annotations.Item, of stored: StoredVariable) -> [FixIt] {
    guard !stored.type.isOptional, let name = stored.names.defaultCase(of: stored.type.name) else {
      return []
    }
    let member = "\"default\": \".\(name.text)\""
    var edit = FixIt.Edit(item.whole, replacement: "convert = { \(member) }")
    switch item.value {
    case .bare: break
    case .text(let type):
      edit.replacement = "convert = { \"dbType\": \"\(type)\", \(member) }"
    case .dictionary(let dictionary):
      if dictionary.isEmpty { break }
      guard item.places.members["default"] == nil,
        let end = item.places.members.values.map(\.end).max()
      else { return [] }
      // A line with a namespace has members without quotes.
      let isLine = item.places.value == nil
      edit = .init(
        SourceSpan(position: end, length: 0),
        replacement: isLine ? ", default = .\(name.text)" : ", \(member)"
      )
    default: return []
    }
    let text = "read unknown stored values as '.\(name.text)'"
    return [FixIt(text, edits: [edit], isSafe: name.isNeutral)]
  }
}

extension Conversion {
  /// Makes the stored type optional if the property is, so that nil is stored and found as null.
  ///
  /// A converter declares the values that it takes.
  mutating func keepNil(of type: DeclaredType) {
    if converter == nil, type.isOptional, !DeclaredType(databaseType).isOptional {
      databaseType += "?"
    }
  }
}

extension DiagnosticMessage {
  static func emptyConversion(_ path: String) -> Self {
    "the convert annotation of \(path) says nothing; write \(Annotation.usage("convert"))"
  }

  static func conversionWithoutType(_ name: String, entity: String) -> Self {
    "the convert annotation of '\(entity).\(name)' does not say what is stored, and the type is "
      + "no enum with a raw type in these sources; add \"dbType\""
  }

  static func conversionWithoutDefault(_ name: String, entity: String) -> Self {
    "the convert annotation of '\(entity).\(name)' does not say what an unknown stored value "
      + "becomes; add \"default\" or \"converter\", or make the property optional"
  }
}
