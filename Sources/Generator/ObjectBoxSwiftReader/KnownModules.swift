internal import ObjectBoxGenerator

/// The modules of each platform, for `canImport(…)`.
enum KnownModules {
  /// Modules that every source with entities can import.
  private static let everywhere: Set<String> = [
    "Swift", "ObjectBox", "Foundation", "Dispatch", "Synchronization", "Observation",
    "RegexBuilder",
    "Distributed", "FoundationEssentials", "FoundationNetworking", "FoundationXML", "_Concurrency",
    "_StringProcessing", "_Differentiation", "Cxx", "CxxStdlib", "XCTest", "Testing",
  ]

  private static let outsideOfApple: Set<String> = [
    "FoundationEssentials", "FoundationNetworking", "FoundationXML",
    "FoundationInternationalization",
  ]

  /// Frameworks of all Apple platforms.
  private static let onApple: Set<String> = [
    "Accelerate", "CFNetwork", "CloudKit", "Combine", "CommonCrypto", "Compression", "CoreData",
    "CoreFoundation", "CoreGraphics", "CoreImage", "CoreLocation", "CoreML", "CoreText",
    "CryptoKit",
    "Darwin", "DeveloperToolsSupport", "ImageIO", "MapKit", "MobileCoreServices", "NaturalLanguage",
    "ObjectiveC", "OSLog", "Security", "StoreKit", "SwiftData", "SwiftUI", "TabularData",
    "UniformTypeIdentifiers", "UserNotifications", "os",
  ]

  /// Frameworks of some Apple platforms.
  private static let onSomeApple: [String: Set<String>] = [
    "AppKit": ["macOS"], "Cocoa": ["macOS"], "UIKit": ["iOS", "tvOS", "watchOS", "visionOS"],
    "WatchKit": ["watchOS"], "WidgetKit": ["macOS", "iOS", "watchOS", "visionOS"],
    "ARKit": ["iOS", "visionOS"], "RealityKit": ["macOS", "iOS", "tvOS", "visionOS"],
    "ActivityKit": ["iOS"], "HealthKit": ["macOS", "iOS", "watchOS", "visionOS"],
    "Metal": ["macOS", "iOS", "tvOS", "visionOS"], "Vision": ["macOS", "iOS", "tvOS", "visionOS"],
    "WebKit": ["macOS", "iOS", "visionOS"], "PDFKit": ["macOS", "iOS", "visionOS"],
    "Contacts": ["macOS", "iOS", "watchOS", "visionOS"],
  ]

  /// The C library of each platform.
  private static let ofPlatform: [String: Set<String>] = [
    "Linux": ["Glibc"], "Android": ["Android", "Bionic"], "FreeBSD": ["Glibc"],
    "OpenBSD": ["Glibc"], "Windows": ["WinSDK", "CRT", "ucrt"], "WASI": ["WASILibc"],
  ]

  private static let libraries: Set<String> = Set(ofPlatform.values.joined()).union(["Musl"])

  /// Returns whether a module of the platform can be imported; nil for an unknown module.
  static func isImportable(_ module: String, in conditions: BuildConditions) -> Bool? {
    if conditions.isApple {
      if onApple.contains(module) { return true }
      if let platforms = onSomeApple[module] {
        guard let platform = conditions.platform else { return nil }
        return platforms.contains(platform)
      }
      if libraries.contains(module) || outsideOfApple.contains(module) { return false }
      return everywhere.contains(module) ? true : nil
    }
    if everywhere.contains(module) || outsideOfApple.contains(module) { return true }
    if let platform = conditions.platform, ofPlatform[platform]?.contains(module) == true {
      return true
    }
    let isOfOthers =
      onApple.contains(module) || onSomeApple[module] != nil || libraries.contains(module)
    return isOfOthers ? false : nil
  }
}
