/// The facts about the build of the sources that decide `#if`.
package struct BuildConditions: Hashable, Sendable {
  /// The names of `-D NAME`, which are true; all others are false, as for the compiler.
  package var defined: Set<String>
  /// The modules that can be imported besides those of the platform; nil when that is not known.
  package var importableModules: Set<String>?
  /// The platform as `os(…)` names it; nil for any of Apple's.
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

  /// Adds a module that can be imported; after the first one, unknown modules cannot.
  package mutating func addImportable(_ module: String) {
    importableModules = (importableModules ?? []).union([module])
  }

  /// The platforms that `os(…)` can name.
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

  /// True for Apple's platforms, whichever it is.
  package var isApple: Bool { platform.map(Self.applePlatforms.contains) ?? true }
}
