internal import Foundation

/// Finds and reads the Swift files of a run.
package enum SourceFinder {
  /// The Swift files of a run.
  package struct Found {
    package var sources: [SourceFile] = []
    /// Files that a generator wrote.
    package var generated: [SourceFile] = []

    /// Returns the generated files other than the output of this run.
    func generated(besides output: String) -> [SourceFile] {
      let output = SourceFinder.absolute(output)
      return generated.filter { SourceFinder.absolute($0.path) != output }
    }
  }

  /// Reads the `.swift` files at and below the given paths, in the order of their paths.
  ///
  /// Hidden files and folders, such as `.build`, and everything below `excluded` are left out.
  package static func read(_ paths: [String], excluding excluded: [String]) throws(FileFault)
    -> Found
  {
    try read(find(paths, excluding: excluded))
  }

  /// Reads files in the given order.
  static func read(_ files: [SourceWalk.File]) throws(FileFault) -> Found {
    let results = Parallel.map(files) { file in
      Result { () throws(FileFault) in
        SourceFile(path: file.path, text: try readText(file.path))
      }
    }
    var found = Found()
    for result in results {
      let file = try result.get()
      if GeneratedFile.isGenerated(file.text) {
        found.generated.append(file)
      } else {
        found.sources.append(file)
      }
    }
    return found
  }

  /// Returns the files in the order of their paths; each file once, even when several links lead to
  /// it.
  package static func find(
    _ paths: [String],
    excluding excluded: [String]
  ) throws(FileFault) -> [SourceWalk.File] {
    let excluded = excluded.map(absolute)
    let walk = try SourceWalk(paths) { path in
      if excluded.isEmpty { return false }
      let full = absolute(path)
      return excluded.contains { full == $0 || full.hasPrefix($0 + "/") }
    }
    return walk.files.sorted { precedes($0.path, $1.path) }
  }

  /// Compares bytes: their order depends neither on the machine nor on its locale.
  static func precedes(_ left: String, _ right: String) -> Bool {
    left.withCString { left in right.withCString { strcmp(left, $0) < 0 } }
  }

  package static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }

  /// Reads a file as UTF-8.
  package static func readText(_ path: String) throws(FileFault) -> String {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw FileFault("read", path, error)
    }
    // Validates all bytes at once: a loop over bytes is slow in unoptimised builds.
    let text = data.withUnsafeBytes { bytes in
      String(validating: bytes.bindMemory(to: UInt8.self), as: UTF8.self)
    }
    guard let text else {
      throw FileFault("read", path, "it is not UTF-8; save it in that encoding")
    }
    return text
  }

  /// Reads a file as UTF-8; nil when it does not exist.
  package static func readTextIfPresent(_ path: String) throws(FileFault) -> String? {
    FileManager.default.fileExists(atPath: path) ? try readText(path) : nil
  }
}
