internal import Foundation

/// Writes files completely or not at all.
package enum FileWriter {
  package enum Outcome: Sendable {
    case unchanged, created, changed
  }

  /// Writes a text unless the file already holds it; creates missing folders.
  ///
  /// The old content stays until the new content is complete on disk. A link stays a link; its
  /// target is written. With `keepsBackup`, the old file is first copied to the same name with
  /// `.bak`.
  package static func write(
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
      // An atomic write resets the permissions.
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

  /// Returns the path at the end of all links; it need not exist.
  static func followLinks(_ path: String) -> URL {
    var url = URL(fileURLWithPath: path)
    // A longer chain of links is a cycle.
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

  /// Returns the file of an output option: the path itself, or the default name in a folder.
  ///
  /// A path counts as a folder when it is one, ends with a slash, or neither exists nor has an
  /// extension.
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
