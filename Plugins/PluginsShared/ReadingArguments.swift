import Foundation
import PackagePlugin

extension SourceModuleTarget {
  /// The arguments for reading the target, the same for bindings, models and checks.
  var readingArguments: [String] {
    swiftFiles.flatMap { ["--sources", $0.path] } + conditionArguments
      + cModules.flatMap(\.arguments)
  }

  /// The arguments for deciding `#if`: the conditions that the package defines for the target, and
  /// the modules that it can import.
  ///
  /// SwiftPM does not tell plugins whether it builds for debugging, so `DEBUG` is not among them.
  private var conditionArguments: [String] {
    let defined = (self as? SwiftSourceModuleTarget)?.compilationConditions ?? []
    let modules = recursiveTargetDependencies.compactMap { $0 as? any SourceModuleTarget }
      .map(\.moduleName)
    return Set(defined).sorted().flatMap { ["-D", $0] }
      + Set(modules + [moduleName]).sorted().flatMap { ["--can-import", $0] }
  }
}
