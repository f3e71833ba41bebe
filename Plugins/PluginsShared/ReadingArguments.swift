import Foundation
import PackagePlugin

extension SourceModuleTarget {
  /// The tool's arguments to read the target's sources, the same for bindings, models and checks.
  var readingArguments: [String] {
    swiftFiles.flatMap { ["--sources", $0.path] } + conditionArguments
      + cModules.flatMap(\.arguments)
  }

  /// The arguments that decide `#if`: the conditions that the package defines for the target, and
  /// the modules that the target can import.
  ///
  /// `DEBUG` is never defined: plugins do not know the build configuration.
  private var conditionArguments: [String] {
    let defined = (self as? SwiftSourceModuleTarget)?.compilationConditions ?? []
    let modules = recursiveTargetDependencies.compactMap { $0 as? any SourceModuleTarget }
      .map(\.moduleName)
    return Set(defined).sorted().flatMap { ["-D", $0] }
      + Set(modules + [moduleName]).sorted().flatMap { ["--can-import", $0] }
  }
}
