internal import Foundation

/// Checks files before the library reads them, since it only logs errors.
enum FileCheck {
  /// - Throws: ``WebSocketError`` when a file cannot be read.
  static func readable(_ path: String) throws(WebSocketError) {
    guard let file = fopen(path, "r") else {
      throw .unusableFile(path: path, reason: String(cString: strerror(errno)))
    }
    fclose(file)
  }

  /// Returns a file, or the files of a folder in the order of their names.
  ///
  /// Hidden files are left out, and so are folders in the folder.
  ///
  /// - Parameter path: The path of a file or a folder.
  /// - Returns: The paths of the files, which can be read.
  /// - Throws: ``WebSocketError`` when the file or the folder cannot be read.
  static func files(_ path: String) throws(WebSocketError) -> [String] {
    func isFolder(_ path: String) -> Bool {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        && isFolder.boolValue
    }
    guard isFolder(path) else {
      try readable(path)
      return [path]
    }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw .unusableFile(path: path, reason: error.localizedDescription)
    }
    let files = names.filter { !$0.hasPrefix(".") }.sorted().map { path + "/" + $0 }
      .filter { !isFolder($0) }
    for file in files { try readable(file) }
    return files
  }
}
