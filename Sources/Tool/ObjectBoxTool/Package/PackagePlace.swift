internal import Foundation
internal import ObjectBoxCommandLine

/// The place from which a new package takes the runtime and the plugins.
struct PackagePlace {
  /// The dependency, as an expression of a manifest.
  let dependency: String

  /// The name of this package, by which products are asked for.
  static let packageName = "objectbox-swift-open"

  /// Makes the place that the options name, or finds the checkout in which the tool was built.
  ///
  /// - Parameters:
  ///   - arguments: The options `--package` and `--from`.
  ///   - folder: The folder of the new package, to which the path of a checkout is relative.
  /// - Throws: ``UsageFault`` for options that do not fit, and without a place.
  init(_ arguments: CommandArguments, for folder: URL) throws {
    let version = arguments.value("--from")
    guard let place = arguments.value("--package") ?? Self.ownCheckout else {
      throw UsageFault(
        text:
          "this tool is not in a checkout of \(Self.packageName); pass --package with the folder "
          + "of one, or with the address of its repository"
      )
    }
    if Self.isAddress(place) {
      guard let version else {
        throw UsageFault(
          text: "a repository at an address needs --from VERSION, such as --from 0.1.0"
        )
      }
      let (address, least) = (String(reflecting: place), String(reflecting: version))
      dependency = ".package(url: \(address), from: \(least))"
      return
    }
    guard version == nil else {
      throw UsageFault(
        text: "--from is for the address of a repository, and '\(place)' is a folder"
      )
    }
    let checkout = URL(filePath: place, directoryHint: .isDirectory).standardizedFileURL
    guard Self.isCheckout(checkout) else {
      throw UsageFault(
        text:
          "'\(place)' is no checkout of \(Self.packageName): it has no Package.swift with that name"
      )
    }
    let path = Self.path(from: folder, to: checkout)
    dependency = ".package(name: \"\(Self.packageName)\", path: \(String(reflecting: path)))"
  }

  private static func isAddress(_ place: String) -> Bool {
    place.contains("://") || (place.hasPrefix("git@") && place.contains(":"))
  }

  /// The checkout that holds the running program; nil elsewhere.
  private static var ownCheckout: String? {
    guard var folder = Bundle.main.executableURL?.resolvingSymlinksInPath() else { return nil }
    while folder.pathComponents.count > 1 {
      folder.deleteLastPathComponent()
      if isCheckout(folder) { return folder.path }
    }
    return nil
  }

  private static func isCheckout(_ folder: URL) -> Bool {
    let manifest = try? String(contentsOf: folder.appending(path: "Package.swift"), encoding: .utf8)
    return manifest?.contains("name: \"\(packageName)\"") ?? false
  }

  /// Returns the relative path between folders with a common parent, so that both can be moved, and
  /// the absolute one otherwise.
  private static func path(from folder: URL, to checkout: URL) -> String {
    let parent = folder.deletingLastPathComponent().path
    guard checkout.deletingLastPathComponent().path == parent else { return checkout.path }
    return "../" + checkout.lastPathComponent
  }
}
