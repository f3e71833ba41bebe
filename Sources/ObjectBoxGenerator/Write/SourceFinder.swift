internal import Foundation

/// Finds and reads the Swift files of a run.
enum SourceFinder {
  /// Returns the `.swift` files at and below the given paths, in the order of their paths.
  ///
  /// Hidden files and folders, such as `.build`, are left out, and so is what is below `excluded`.
  static func read(_ paths: [String], excluding excluded: [String]) throws(FileFault)
    -> [SourceFile]
  {
    let excluded = excluded.map(absolute)
    var files: Set<String> = []
    for path in paths { files.formUnion(try find(path)) }
    let kept = files.filter { file in
      let full = absolute(file)
      return !excluded.contains { full == $0 || full.hasPrefix($0 + "/") }
    }
    var sources: [SourceFile] = []
    // The order of bytes is the same on every machine and in every language.
    for file in kept.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      sources.append(SourceFile(path: file, text: try readText(file)))
    }
    return sources
  }

  static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }

  private static func find(_ path: String) throws(FileFault) -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw FileFault("read", path, "there is no such file or folder")
    }
    guard isFolder.boolValue else { return [path] }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw FileFault("read", path, error)
    }
    var found: [String] = []
    for name in names where !name.hasPrefix(".") {
      let inner = path.hasSuffix("/") ? path + name : path + "/" + name
      var isInnerFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: inner, isDirectory: &isInnerFolder) else {
        continue
      }
      if isInnerFolder.boolValue {
        found += try find(inner)
      } else if name.hasSuffix(".swift") {
        found.append(inner)
      }
    }
    return found
  }

  /// Reads a file as UTF-8.
  static func readText(_ path: String) throws(FileFault) -> String {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw FileFault("read", path, error)
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw FileFault("read", path, "it is not UTF-8; save it in that encoding")
    }
    return text
  }

  /// Reads a file as UTF-8; nil when there is none.
  static func readTextIfPresent(_ path: String) throws(FileFault) -> String? {
    FileManager.default.fileExists(atPath: path) ? try readText(path) : nil
  }
}
