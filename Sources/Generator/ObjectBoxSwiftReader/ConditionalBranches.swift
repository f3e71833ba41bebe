internal import ObjectBoxGenerator
internal import SwiftDiagnostics
internal import SwiftIfConfig
internal import SwiftSyntax

/// The branches of one `#if` that may be active.
struct ConditionalBranches {
  /// The active branch; all branches that may be active when a condition cannot be decided.
  private(set) var read: [IfConfigClauseSyntax] = []
  /// Unknown facts on which the conditions depend, as written in the source.
  private(set) var unknown: Set<String> = []
  /// The first condition that cannot be decided.
  private(set) var undecided: ExprSyntax?

  /// Maximum number of unknown facts in a condition whose combinations are tried.
  private static let maximumUnknowns = 6

  init(of node: IfConfigDeclSyntax, in conditions: BuildConditions) {
    for clause in node.clauses {
      guard let condition = clause.condition else {
        read.append(clause)
        break
      }
      let outcomes = outcomes(of: condition, in: conditions)
      if outcomes == [false] { continue }
      if outcomes == [true] {
        read.append(clause)
        break
      }
      undecided = undecided ?? condition
      // The compiler may skip a branch with an error.
      if !clause.hasError { read.append(clause) }
    }
  }

  /// Returns the values of a condition for all combinations of unknown facts.
  private mutating func outcomes(
    of condition: ExprSyntax,
    in conditions: BuildConditions
  ) -> Set<Bool> {
    let outcomes = ConditionProbe.languageVersions.map { version in
      self.outcomes(of: condition, in: conditions, version, assuming: [:])
    }
    if Set(outcomes).count > 1 { unknown.insert("the language mode") }
    return outcomes.reduce([]) { $0.union($1) }
  }

  private mutating func outcomes(
    of condition: ExprSyntax,
    in conditions: BuildConditions,
    _ version: VersionTuple,
    assuming assumed: [String: Bool]
  ) -> Set<Bool> {
    let probe = ConditionProbe(conditions, assuming: assumed, languageVersion: version)
    let result = IfConfigRegionState.evaluating(condition, in: probe)
    if let question = probe.unknown {
      guard assumed.count < Self.maximumUnknowns else { return [true, false] }
      var outcomes: Set<Bool> = []
      for value in [true, false] {
        let assumed = assumed.merging([question: value]) { $1 }
        outcomes.formUnion(self.outcomes(of: condition, in: conditions, version, assuming: assumed))
      }
      if outcomes.count > 1 { unknown.insert(question) }
      return outcomes
    }
    // The compiler rejects such a condition and says why.
    if result.diagnostics.contains(where: { $0.diagMessage.severity == .error }) {
      return [true, false]
    }
    return [result.state == .active]
  }

  /// Returns the finding about a condition that cannot be decided; nil when all can be.
  func finding(in source: SourceText) -> Diagnostic? {
    guard let undecided else { return nil }
    let place = undecided.positionAfterSkippingLeadingTrivia.utf8Offset
    let text = undecided.trimmedDescription
    let message = DiagnosticMessage.undecidedCondition(text, unknown.sorted())
    return Diagnostic(message, at: source.position(at: place))
  }
}

extension DiagnosticMessage {
  static func undecidedCondition(_ condition: String, _ unknown: [String]) -> Self {
    var advice: [String] = []
    if unknown.contains(where: { $0.hasPrefix("canImport") }) {
      advice.append("pass --can-import for each module that can be imported")
    }
    if unknown.contains(where: { $0.hasPrefix("os") || $0.hasPrefix("canImport") }) {
      advice.append("pass --platform with the platform's name")
    }
    advice.append("keep entities and their stored properties out of it")
    let reason = unknown.isEmpty ? "" : ", because of \(unknown.joined(separator: ", "))"
    return warning(
      "the condition '\(condition)' cannot be decided here\(reason), so every branch that may be "
        + "active is read; \(advice.joined(separator: ", or "))"
    )
  }
}
