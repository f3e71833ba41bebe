/// The conversion of a property: by its `codable` or `convert` annotation, or of a C enum without one.
enum ConversionRule {
  enum Outcome {
    case conversion(Conversion)
    case faults([Diagnostic])
  }

  /// Makes the conversion that the annotations of a variable or its C type ask for; nil where nothing asks
  /// for one.
  static func outcome(
    for variable: ParsedVariable,
    type: DeclaredType,
    in owner: String,
    names: DeclaredNames
  ) -> Outcome? {
    if let item = variable.annotations["codable"] {
      return CodableRule.conversion(item, of: variable, type: type, in: owner)
    }
    if let item = variable.annotations["convert"] {
      return conversion(item, of: variable.name, type: type, in: owner, names: names)
    }
    return CTypeRule.conversion(of: type, names: names).map { .conversion($0) }
  }

  /// Returns the imports that generated code needs for a conversion.
  static func imports(
    for conversion: Conversion,
    of variable: ParsedVariable,
    type: DeclaredType,
    in owner: String,
    names: DeclaredNames
  ) -> [String] {
    conversion.isCodable
      ? CodableRule.imports(for: conversion, of: variable, type: type, in: owner, names: names)
      : CTypeRule.imports(for: type, in: variable.position.path, names: names)
  }

  /// Makes the conversion that `convert` asks for, of a property whose type is resolved.
  private static func conversion(
    _ item: Annotations.Item,
    of name: String,
    type: DeclaredType,
    in owner: String,
    names: DeclaredNames
  ) -> Outcome {
    var options: [String: String] = [:]
    switch item.value {
    case .text(let type): options["dbType"] = type
    case .dictionary(let dictionary):
      let read = AnnotationRule.texts("convert", item, dictionary, of: "'\(owner).\(name)'")
      guard read.diagnostics.isEmpty else { return .faults(read.diagnostics) }
      options = read.texts
    default:
      let fixIts = names.rawType(of: type.name) == nil ? [] : fixIts(item, type: type, names)
      return .faults([
        Diagnostic(.emptyConversion(name, entity: owner), at: item.whole, fixIts: fixIts)
      ])
    }
    // An empty text counts as not given.
    options = options.filter { !$0.value.isEmpty }

    let asked = options["dbType"].map { names.resolve(DeclaredType($0), in: owner) }
    guard let databaseType = asked ?? names.rawType(of: type.name) else {
      return .faults([
        Diagnostic(.conversionWithoutType(name, entity: owner), at: item.name)
      ])
    }
    var conversion = Conversion(
      databaseType: databaseType.text,
      converter: options["converter"],
      defaultValue: options["default"]
    )
    CTypeRule.complete(&conversion, of: type, names: names)
    if conversion.converter == nil, conversion.defaultValue == nil, !type.isOptional,
      !conversion.isTotal
    {
      return .faults([
        Diagnostic(
          .conversionWithoutDefault(name, entity: owner),
          at: item.name,
          fixIts: fixIts(item, type: type, names)
        )
      ])
    }
    return .conversion(conversion)
  }

  /// Returns the change that gives a conversion a default; empty for types that are no enums of the
  /// sources.
  private static func fixIts(
    _ item: Annotations.Item,
    type: DeclaredType,
    _ names: DeclaredNames
  ) -> [FixIt] {
    guard !type.isOptional, let name = names.defaultCase(of: type.name) else { return [] }
    let member = "\"default\": \".\(name.text)\""
    let edit: FixIt.Edit
    switch item.value {
    case .bare: edit = .init(item.whole, replacement: "convert = { \(member) }")
    case .text(let stored):
      edit = .init(
        item.whole,
        replacement: "convert = { \"dbType\": \"\(stored)\", \(member) }"
      )
    case .dictionary(let dictionary):
      if dictionary.isEmpty {
        edit = .init(item.whole, replacement: "convert = { \(member) }")
      } else if item.places.members["default"] == nil,
        let end = item.places.members.values.map(\.end).max()
      {
        // A line with a namespace writes its members without quotes.
        let isLine = item.places.value == nil
        edit = .init(
          SourceSpan(position: end, length: 0),
          replacement: isLine ? ", default = .\(name.text)" : ", \(member)"
        )
      } else {
        return []
      }
    default: return []
    }
    let text = "read unknown stored values as '.\(name.text)'"
    return [FixIt(text, edits: [edit], isSafe: name.isNeutral)]
  }
}

extension DiagnosticMessage {
  static func emptyConversion(_ name: String, entity: String) -> Self {
    "the convert annotation of '\(entity).\(name)' says nothing; write "
      + "\(Annotation.usage("convert"))"
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
