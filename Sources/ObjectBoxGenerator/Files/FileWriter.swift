internal import Foundation

/// Writes files whole or not at all.
enum FileWriter {
  enum Outcome: Sendable {
    case unchanged, created, changed
  }

  /// Writes a text, unless the file holds it already; makes the folders above it.
  ///
  /// The old content stays until the new one is complete on disk. A link stays a link; its target
  /// changes. With `keepsBackup`, a changed file is first copied to the same name with `.bak`.
  static func write(
    _ text: String,
    to path: String,
    keepsBackup: Bool = false
  ) throws(FileFault) -> Outcome {
    let url = followLinks(path)
    let old = try? Data(contentsOf: url)
    let new = Data(text.utf8)
    if old == new { return .unchanged }
    let manager = FileManager.default
    do {
      try manager.createDirectory(
        at: url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      if keepsBackup, old != nil {
        let backup = URL(fileURLWithPath: path + ".bak")
        try? manager.removeItem(at: backup)
        try manager.copyItem(at: url, to: backup)
      }
      // An atomic write would reset the permissions.
      let access = try? manager.attributesOfItem(atPath: url.path)[.posixPermissions]
      try new.write(to: url, options: .atomic)
      if let access {
        try manager.setAttributes([.posixPermissions: access], ofItemAtPath: url.path)
      }
    } catch {
      throw FileFault("write", path, error)
    }
    return old == nil ? .created : .changed
  }

  /// Returns the path at the end of all links; no file need exist there.
  static func followLinks(_ path: String) -> URL {
    var url = URL(fileURLWithPath: path)
    // More links in a row are a cycle.
    for _ in 0..<32 {
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)
      else { break }
      url = URL(fileURLWithPath: target, relativeTo: url.deletingLastPathComponent()).absoluteURL
    }
    return url
  }

  /// Removes a file if it exists.
  static func remove(_ path: String) throws(FileFault) {
    guard FileManager.default.fileExists(atPath: path) else { return }
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      throw FileFault("remove", path, error)
    }
  }

  /// Returns the file of an output option: the path itself, or the usual name in a folder.
  ///
  /// A path without an extension, at which nothing exists yet, counts as a folder.
  static func outputFile(_ path: String) -> String {
    let usualName = "EntityInfo.generated.swift"
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
      return isFolder.boolValue ? URL(fileURLWithPath: path).path + "/" + usualName : path
    }
    let hasExtension = !URL(fileURLWithPath: path).pathExtension.isEmpty
    if path.hasSuffix("/") || !hasExtension {
      return (path.hasSuffix("/") ? String(path.dropLast()) : path) + "/" + usualName
    }
    return path
  }
}
