internal import SwiftSyntax

/// Finds the type of a variable from its default value, where the declaration does not say it.
enum TypeInference {
  /// Returns the type as Swift writes it; nil when only the compiler could tell.
  static func type(of value: ExprSyntax) -> String? {
    switch value.as(ExprSyntaxEnum.self) {
    case .stringLiteralExpr: "String"
    case .booleanLiteralExpr: "Bool"
    case .integerLiteralExpr: "Int"
    case .floatLiteralExpr: "Double"
    case .prefixOperatorExpr(let negative) where negative.operator.text == "-":
      type(of: negative.expression)
    case .arrayExpr(let array): element(of: array).map { "[\($0)]" }
    case .functionCallExpr(let call): owner(of: call.calledExpression, isCall: true)
    case .memberAccessExpr(let member): owner(of: ExprSyntax(member), isCall: false)
    case .tryExpr(let attempt): type(of: attempt.expression)
    default: nil
    }
  }

  private static func element(of array: ArrayExprSyntax) -> String? {
    let values = array.elements.map(\.expression)
    let isNil = values.map { $0.is(NilLiteralExprSyntax.self) }
    let types = zip(values, isNil).filter { !$0.1 }.map { type(of: $0.0) }
    guard let first = types.first, let first, types.allSatisfy({ $0 == first }) else { return nil }
    return isNil.contains(true) ? first + "?" : first
  }

  /// Returns X of `X(…)`, `X.init(…)`, `X.factory(…)` and `X.member`.
  private static func owner(of expression: ExprSyntax, isCall: Bool) -> String? {
    if let member = expression.as(MemberAccessExprSyntax.self) {
      guard let base = member.base, let first = member.declName.baseName.text.first else {
        return nil
      }
      if first.isLowercase { return name(of: base) }
      return isCall ? name(of: expression) : nil
    }
    return isCall ? name(of: expression) : nil
  }

  /// Returns the text of a type name, generic arguments included; nil for other expressions.
  private static func name(of expression: ExprSyntax) -> String? {
    let text = expression.trimmedDescription
    let last = text.split(separator: "<").first?.split(separator: ".").last
    guard let last, let first = last.first, first.isUppercase || first == "[" else { return nil }
    return text
  }
}
