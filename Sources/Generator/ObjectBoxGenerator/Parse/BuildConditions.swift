/// Facts about the build of the sources, which decide `#if`.
package struct BuildConditions: Hashable, Sendable {
  /// Names of `-D NAME`, which are true.
  ///
  /// All other names are false, as for the compiler.
  package var defined: Set<String>
  /// Modules that can be imported besides the platform's own; nil when unknown.
  package var importableModules: Set<String>?
  /// The platform as in `os(…)`; nil for all of Apple's platforms.
  package var platform: String?

  package init(
    defined: Set<String> = [],
    importableModules: Set<String>? = nil,
    platform: String? = Self.hostPlatform
  ) {
    self.defined = defined
    self.importableModules = importableModules
    self.platform = platform
  }

  /// Adds an importable module; after the first call, modules that were not added count as missing.
  package mutating func addImportable(_ module: String) {
    importableModules = (importableModules ?? []).union([module])
  }

  /// Platforms that `os(…)` can name.
  package static let platforms: Set<String> = applePlatforms.union([
    "Linux", "Windows", "Android", "FreeBSD", "OpenBSD", "WASI",
  ])

  package static let applePlatforms: Set<String> = ["macOS", "iOS", "tvOS", "watchOS", "visionOS"]

  /// The platform that the tool runs on; nil on a Mac, which builds for all of Apple's platforms.
  package static var hostPlatform: String? {
    #if os(Linux)
      "Linux"
    #elseif os(Windows)
      "Windows"
    #elseif os(Android)
      "Android"
    #elseif os(FreeBSD)
      "FreeBSD"
    #else
      nil
    #endif
  }

  /// True for any of Apple's platforms.
  package var isApple: Bool { platform.map(Self.applePlatforms.contains) ?? true }
}
