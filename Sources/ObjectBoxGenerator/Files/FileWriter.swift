internal import Foundation

/// Writes files whole or not at all.
enum FileWriter {
  enum Outcome: Sendable {
    case unchanged, created, changed
  }

  /// Writes a text, unless the file holds it already; makes the folders above it.
  ///
  /// The old content stays in place until the new one is complete on disk. A link is followed, so that
  /// it stays a link. With `keepsBackup`, a changed file is first copied to the same name with `.bak`.
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
      // The new file would have the usual access otherwise.
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

  /// Returns what a path leads to; the end of a link need not exist yet.
  static func followLinks(_ path: String) -> URL {
    var url = URL(fileURLWithPath: path)
    // More links than this in a row are a circle.
    for _ in 0..<32 {
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)
      else { break }
      url = URL(fileURLWithPath: target, relativeTo: url.deletingLastPathComponent()).absoluteURL
    }
    return url
  }

  /// Removes a file when it is there.
  static func remove(_ path: String) throws(FileFault) {
    guard FileManager.default.fileExists(atPath: path) else { return }
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      throw FileFault("remove", path, error)
    }
  }

  /// Returns the file that an output option means: the path itself, or the usual name in it when it
  /// is a folder, or looks like one that does not exist yet.
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
