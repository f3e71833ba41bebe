package import SwiftSyntax

/// Infers the type of a variable from its default value, for declarations without a type.
package enum TypeInference {
  /// Returns the type as written in Swift; nil when only the compiler could infer it.
  package static func type(of value: ExprSyntax) -> String? {
    switch value.as(ExprSyntaxEnum.self) {
    case .stringLiteralExpr: "String"
    case .booleanLiteralExpr: "Bool"
    case .integerLiteralExpr: "Int"
    case .floatLiteralExpr: "Double"
    case .prefixOperatorExpr(let signed) where ["-", "+"].contains(signed.operator.text):
      type(of: signed.expression)
    case .arrayExpr(let array): common(array.elements.map(\.expression)).map { "[\($0)]" }
    case .functionCallExpr(let call): made(by: call)
    case .memberAccessExpr(let member):
      // The value of `X.self` is not an X.
      member.isLowercase && member.declName.baseName.tokenKind != .keyword(.self)
        ? member.base.flatMap(name) : nil
    case .sequenceExpr(let sequence): cast(sequence) ?? choice(sequence)
    case .tryExpr(let attempt):
      type(of: attempt.expression).map {
        attempt.questionOrExclamationMark?.tokenKind == .postfixQuestionMark ? optional($0) : $0
      }
    case .awaitExpr(let call): type(of: call.expression)
    case .forceUnwrapExpr(let forced): unwrapped(forced.expression)
    case .tupleExpr(let tuple):
      // Parentheses around a single value do not make a tuple.
      tuple.elements.count == 1 ? tuple.elements.first.flatMap { type(of: $0.expression) } : nil
    default: nil
    }
  }

  /// Returns the type of all values, optional if one of them is nil; nil when the types differ.
  private static func common(_ values: [ExprSyntax]) -> String? {
    let present = values.filter { !$0.is(NilLiteralExprSyntax.self) }
    let types = Set(present.map { type(of: $0) })
    let isOptional = present.count < values.count || types.count > 1
    let common = isOptional ? Set(types.map { $0.map(optional) }) : types
    guard common.count == 1, let type = common.first else { return nil }
    return type
  }

  /// Returns the optional form of a type.
  private static func optional(_ type: String) -> String {
    type.hasSuffix("?") ? type : type + "?"
  }

  /// Returns X for `X(…)!` and `X.init(…)!`; nil for factories, whose result types are unknown.
  private static func unwrapped(_ value: ExprSyntax) -> String? {
    guard let call = value.as(FunctionCallExprSyntax.self) else { return nil }
    if let member = call.calledExpression.as(MemberAccessExprSyntax.self), member.isLowercase {
      return member.declName.baseName.tokenKind == .keyword(.`init`)
        ? member.base.flatMap(name) : nil
    }
    return name(of: call.calledExpression)
  }

  /// Returns the type of `condition ? first : second` when both values have the same type, or one
  /// is nil.
  private static func choice(_ sequence: SequenceExprSyntax) -> String? {
    let parts = Array(sequence.elements)
    guard let place = parts.firstIndex(where: { $0.is(UnresolvedTernaryExprSyntax.self) }),
      place == parts.count - 2,
      let first = parts[place].as(UnresolvedTernaryExprSyntax.self)?.thenExpression
    else { return nil }
    return common([first, parts[place + 1]])
  }

  /// Returns X for `X(…)`, `X.init(…)` and `X.factory(…)`; its optional form for an initializer that may
  /// fail.
  private static func made(by call: FunctionCallExprSyntax) -> String? {
    var called = call.calledExpression
    if let member = called.as(MemberAccessExprSyntax.self), member.isLowercase,
      let base = member.base
    {
      guard member.declName.baseName.tokenKind == .keyword(.`init`) else { return name(of: base) }
      called = base
    }
    return name(of: called).map { mayFail(call.arguments, of: $0) ? optional($0) : $0 }
  }

  /// Initializers of types that can be stored, by the labels of the first arguments.
  private static let failableLabels: [String: [[String]]] = [
    "URL": [["string"], ["dataRepresentation"]], "UUID": [["uuidString"]],
    "Data": [["base64Encoded"]], "Decimal": [["string"], ["exactly"]],
    "String": [
      ["data", "encoding"], ["bytes", "encoding"], ["cString", "encoding"], ["validating"],
      ["validatingCString"], ["validatingUTF8"],
    ],
  ]

  private static let numbers: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    "Float", "Double", "TimeInterval", "Bool",
  ]

  /// Returns whether an initializer of a known type with these arguments gives an optional.
  private static func mayFail(_ arguments: LabeledExprListSyntax, of type: String) -> Bool {
    let name = type.split(separator: ".").last.map(String.init) ?? type
    guard [name, "Swift.\(name)", "Foundation.\(name)"].contains(type), let first = arguments.first
    else { return false }
    let labels = arguments.map { $0.label?.text ?? "" }
    if failableLabels[name]?.contains(where: labels.starts) == true { return true }
    guard numbers.contains(name) else { return false }
    let readsText = labels[0].isEmpty && Self.type(of: first.expression) == "String"
    return labels[0] == "exactly" || labels.dropFirst().contains("radix") || readsText
  }

  /// Returns the target type of a cast, as an optional for `as?`; nil for other expressions.
  private static func cast(_ sequence: SequenceExprSyntax) -> String? {
    let parts = Array(sequence.elements)
    guard parts.count == 3, let cast = parts[1].as(UnresolvedAsExprSyntax.self),
      let type = parts[2].as(TypeExprSyntax.self)?.type.trimmedDescription
    else { return nil }
    return cast.questionOrExclamationMark?.tokenKind == .postfixQuestionMark
      ? optional(type) : type
  }

  /// Returns the name of the type that an expression refers to; nil for values.
  private static func name(of expression: ExprSyntax) -> String? {
    switch expression.as(ExprSyntaxEnum.self) {
    case .declReferenceExpr(let reference):
      reference.argumentNames == nil && !reference.isLowercase
        ? reference.trimmedDescription : nil
    case .memberAccessExpr(let member):
      member.isLowercase || member.base.flatMap(name) == nil ? nil : member.trimmedDescription
    case .genericSpecializationExpr(let generic):
      name(of: generic.expression) == nil ? nil : generic.trimmedDescription
    case .arrayExpr(let array):
      array.elements.count == 1
        ? array.elements.first.flatMap { name(of: $0.expression) }.map { "[\($0)]" } : nil
    case .optionalChainingExpr(let optional):
      name(of: optional.expression).map { $0 + "?" }
    case .typeExpr(let type): type.trimmedDescription
    default: nil
    }
  }
}

extension DeclReferenceExprSyntax {
  /// True for names of values and functions, as opposed to types.
  fileprivate var isLowercase: Bool { baseName.text.first?.isUppercase != true }
}

extension MemberAccessExprSyntax {
  fileprivate var isLowercase: Bool { declName.isLowercase }
}
