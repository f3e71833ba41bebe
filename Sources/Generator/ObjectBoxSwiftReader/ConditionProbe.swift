internal import ObjectBoxGenerator
internal import SwiftIfConfig
internal import SwiftSyntax

/// Answers the questions of one `#if` condition, and notes the first question without an answer.
///
/// A class, because the protocol's methods are not mutating.
final class ConditionProbe: BuildConfiguration {
  private let conditions: BuildConditions
  /// Assumed answers to unknown questions.
  private let assumed: [String: Bool]
  /// The first question without a known or assumed answer, as written in the source.
  private(set) var unknown: String?
  let languageVersion: VersionTuple

  init(
    _ conditions: BuildConditions,
    assuming assumed: [String: Bool] = [:],
    languageVersion: VersionTuple
  ) {
    self.conditions = conditions
    self.assumed = assumed
    self.languageVersion = languageVersion
  }

  private func answer(_ question: String, _ answer: Bool?) -> Bool {
    if let answer = answer ?? assumed[question] { return answer }
    unknown = unknown ?? question
    return false
  }

  func isCustomConditionSet(name: String) -> Bool {
    // `$Name` asks for a compiler feature.
    answer(name, name.hasPrefix("$") ? nil : conditions.defined.contains(name))
  }

  func hasFeature(name: String) -> Bool { answer("hasFeature(\(name))", nil) }

  func hasAttribute(name: String) -> Bool { answer("hasAttribute(\(name))", nil) }

  func canImport(importPath: [(TokenSyntax, String)], version: CanImportVersion) -> Bool {
    let path = importPath.map(\.1).joined(separator: ".")
    guard let module = importPath.first?.1 else { return false }
    let ofPlatform = KnownModules.isImportable(module, in: conditions)
    let ofPackage = conditions.importableModules.map { $0.contains(module) }
    let isImportable = ofPackage == true ? true : ofPlatform ?? ofPackage
    guard isImportable == true else { return answer("canImport(\(path))", isImportable) }
    // Only the compiler knows submodules and versions.
    if case .unversioned = version, importPath.count == 1 { return true }
    return answer("canImport(\(path)) in that version", nil)
  }

  func isActiveTargetOS(name: String) -> Bool {
    let name = ["OSX": "macOS", "xrOS": "visionOS"][name] ?? name
    guard let platform = conditions.platform else {
      return answer("os(\(name))", BuildConditions.applePlatforms.contains(name) ? nil : false)
    }
    return name == platform
  }

  func isActiveTargetArchitecture(name: String) -> Bool {
    #if arch(x86_64)
      name == "x86_64"
    #elseif arch(arm64)
      name == "arm64"
    #else
      answer("arch(\(name))", nil)
    #endif
  }

  func isActiveTargetEnvironment(name: String) -> Bool {
    answer("targetEnvironment(\(name))", conditions.isApple ? nil : false)
  }

  func isActiveTargetRuntime(name: String) -> Bool {
    name == (conditions.isApple ? "_ObjC" : "_Native") || name == "_multithreaded"
  }

  func isActiveTargetPointerAuthentication(name: String) -> Bool {
    answer("_ptrauth(\(name))", conditions.isApple ? nil : name == "_none")
  }

  func isActiveTargetObjectFormat(name: String) -> Bool {
    let formats = ["Windows": "COFF", "WASI": "Wasm"]
    return name == (conditions.isApple ? "MachO" : formats[conditions.platform ?? ""] ?? "ELF")
  }

  var targetPointerBitWidth: Int { Int.bitWidth }
  var targetAtomicBitWidths: [Int] { [8, 16, 32, 64] }
  var endianness: Endianness { .little }
  var compilerVersion: VersionTuple { Self.compilerVersion }

  /// Versions that `swift(…)` may mean: the language mode of the sources is unknown.
  static let languageVersions = [VersionTuple(5, 10), compilerVersion]

  /// The version of the compiler that built this tool; in a build, it compiles the sources too.
  private static var compilerVersion: VersionTuple {
    #if compiler(>=7)
      VersionTuple(7)
    #elseif compiler(>=6.5)
      VersionTuple(6, 5)
    #elseif compiler(>=6.4)
      VersionTuple(6, 4)
    #elseif compiler(>=6.3)
      VersionTuple(6, 3)
    #else
      VersionTuple(6, 2)
    #endif
  }
}
