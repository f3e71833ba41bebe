internal import Foundation

/// Finds the Swift files below folders; each file once, even when several links lead to it.
///
/// The result is the same on every machine: a file has its path without links if a walk finds that.
/// Otherwise it has the first of the paths with the fewest links.
package struct SourceWalk {
  /// A file that was found.
  package struct File: Sendable {
    package var path: String
    var stamp: FileStamp
  }

  /// The files, in no particular order.
  private(set) var files: [File] = []
  private let isExcluded: (String) -> Bool
  /// Real paths of all folders and files found so far.
  private var seen: Set<String> = []
  /// Real paths of the folders of given files.
  private var realFolders: [String: String] = [:]
  /// Links found, followed after all paths without links.
  private var links: [String] = []

  /// Walks through the given files and folders.
  ///
  /// - Parameters:
  ///   - paths: Files and folders. Links are followed.
  ///   - isExcluded: Returns whether to leave out a path and everything below it.
  /// - Throws: ``FileFault`` for a path that does not exist and for a folder that cannot be read.
  init(_ paths: [String], isExcluded: @escaping (String) -> Bool) throws(FileFault) {
    self.isExcluded = isExcluded
    for path in paths {
      guard let own = Self.state(of: path),
        let state = Self.kind(of: own) == .link ? Self.state(of: path, followingLink: true) : own,
        let real = Self.kind(of: own) == .other ? realPath(ofFile: path) : Self.realPath(path)
      else { throw FileFault("read", path, "there is no such file or folder") }
      if isExcluded(path) { continue }
      if Self.kind(of: state) == .folder {
        try walk(path, real: real)
      } else if seen.insert(real).inserted {
        files.append(File(path: path, stamp: FileStamp(state)))
      }
    }
    while !links.isEmpty {
      let found = links.sorted(by: SourceFinder.precedes)
      links = []
      for link in found { try follow(link) }
    }
  }

  private enum Kind {
    case folder, link, other
  }

  private mutating func walk(_ path: String, real: String) throws(FileFault) {
    guard seen.insert(real).inserted else { return }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw FileFault("read", path, error)
    }
    for name in names where !name.hasPrefix(".") {
      let inner = path.hasSuffix("/") ? path + name : path + "/" + name
      let innerReal = real.hasSuffix("/") ? real + name : real + "/" + name
      guard let state = Self.state(of: inner) else { continue }
      switch Self.kind(of: state) {
      case .folder where !isExcluded(inner): try walk(inner, real: innerReal)
      case .link: links.append(inner)
      case .other where name.hasSuffix(".swift") && !isExcluded(inner):
        if seen.insert(innerReal).inserted {
          files.append(File(path: inner, stamp: FileStamp(state)))
        }
      default: break
      }
    }
  }

  /// Follows a link; ignores a broken one.
  private mutating func follow(_ link: String) throws(FileFault) {
    guard let state = Self.state(of: link, followingLink: true), let real = Self.realPath(link),
      !isExcluded(link)
    else { return }
    if Self.kind(of: state) == .folder {
      try walk(link, real: real)
    } else if link.hasSuffix(".swift"), seen.insert(real).inserted {
      files.append(File(path: link, stamp: FileStamp(state)))
    }
  }

  /// Returns nil for a path that does not exist.
  private static func state(of path: String, followingLink: Bool = false) -> stat? {
    var state = stat()
    let code = followingLink ? stat(path, &state) : lstat(path, &state)
    return code == 0 ? state : nil
  }

  private static func kind(of state: stat) -> Kind {
    switch state.st_mode & S_IFMT {
    case S_IFDIR: .folder
    case S_IFLNK: .link
    default: .other
    }
  }

  private static func realPath(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  /// Returns the real path of a file that is not itself a link.
  private mutating func realPath(ofFile path: String) -> String? {
    let start = path.withCString { text in
      strrchr(text, Int32(UInt8(ascii: "/"))).map { UnsafePointer($0) - text + 1 } ?? 0
    }
    let folder = start == 0 ? "." : String(decoding: path.utf8.prefix(start), as: UTF8.self)
    let name = String(decoding: path.utf8.dropFirst(start), as: UTF8.self)
    // Cached by folder: a build names each file, and `realpath` looks up every folder above.
    guard let real = realFolders[folder] ?? Self.realPath(folder) else { return nil }
    realFolders[folder] = real
    return real.hasSuffix("/") ? real + name : real + "/" + name
  }
}
