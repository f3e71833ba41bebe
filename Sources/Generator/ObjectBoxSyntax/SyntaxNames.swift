package import SwiftSyntax

extension TokenSyntax {
  /// The name, without backticks.
  package var identifierText: String {
    let text = text
    return text.hasPrefix("`") && text.hasSuffix("`") && text.count > 2
      ? String(text.dropFirst().dropLast()) : text
  }
}

extension DeclModifierListSyntax {
  /// True for `private` and `fileprivate`, but not for a private setter alone.
  package var arePrivate: Bool {
    contains { ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil }
  }

  /// The word of the access level, for `open` the word `public`; nil when it is not stated.
  package var accessWord: String? {
    first { modifier in
      ["public", "open", "package", "internal", "private", "fileprivate"].contains(
        modifier.name.text
      ) && modifier.detail == nil
    }.map { $0.name.text == "open" ? "public" : $0.name.text }
  }

  /// True for `private(set)` and `fileprivate(set)`.
  package var havePrivateSetter: Bool {
    contains { ["private", "fileprivate"].contains($0.name.text) && $0.detail != nil }
  }
}

extension AttributeListSyntax {
  /// Attributes that add neither members nor initializers.
  private static let known: Set<String> = [
    "available", "objc", "objcMembers", "nonobjc", "MainActor", "frozen", "usableFromInline",
    "inlinable", "dynamicMemberLookup", "dynamicCallable", "preconcurrency", "IBDesignable",
    "IBInspectable", "IBOutlet", "NSManaged", "NSCopying", "GKInspectable", "Observable",
    "ObservationIgnored", "ObservationTracked", "discardableResult", "main", "unchecked", "_spi",
  ]

  /// True when an attribute may be an unknown property wrapper or macro.
  package var mayAddCode: Bool {
    contains { element in
      guard let attribute = element.as(AttributeSyntax.self) else { return true }
      return !Self.known.contains(attribute.attributeName.trimmedDescription)
    }
  }
}

extension InheritanceClauseSyntax {
  /// The inherited types as written, without attributes; each type of a composition such as
  /// `Entity & Sendable` counts.
  package var names: [String] { inheritedTypes.flatMap { Self.names(of: $0.type) } }

  private static func names(of type: TypeSyntax) -> [String] {
    if let attributed = type.as(AttributedTypeSyntax.self) {
      return names(of: attributed.baseType)
    }
    if let composition = type.as(CompositionTypeSyntax.self) {
      return composition.elements.flatMap { names(of: $0.type) }
    }
    return [type.trimmedDescription]
  }
}
