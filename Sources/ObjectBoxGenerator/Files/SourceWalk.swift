internal import Foundation

/// The Swift files below folders, each once, whatever links lead to it.
///
/// A file has its path without links where there is one, else the first of the paths with the fewest
/// links, so that the result is the same on every machine.
struct SourceWalk {
  /// The paths of the files, in no order.
  private(set) var files: [String] = []
  private let isExcluded: (String) -> Bool
  /// The real paths of all folders and files so far.
  private var seen: Set<String> = []
  /// Links to follow after all paths without links.
  private var links: [String] = []

  /// Walks through the given files and folders.
  ///
  /// - Parameters:
  ///   - paths: Files and folders; each is followed when it is a link.
  ///   - isExcluded: Returns whether to leave out a path with all below it.
  /// - Throws: ``FileFault`` for a path that does not exist, and for a folder that cannot be read.
  init(_ paths: [String], isExcluded: @escaping (String) -> Bool) throws(FileFault) {
    self.isExcluded = isExcluded
    for path in paths {
      guard let kind = Self.kind(of: path, followingLink: true), let real = Self.realPath(path)
      else { throw FileFault("read", path, "there is no such file or folder") }
      if isExcluded(path) { continue }
      if kind == .folder {
        try walk(path, real: real)
      } else if seen.insert(real).inserted {
        files.append(path)
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
      switch Self.kind(of: inner) {
      case .folder where !isExcluded(inner): try walk(inner, real: innerReal)
      case .link: links.append(inner)
      case .other where name.hasSuffix(".swift") && !isExcluded(inner):
        if seen.insert(innerReal).inserted { files.append(inner) }
      default: break
      }
    }
  }

  /// Follows a link; a link to nothing is no file.
  private mutating func follow(_ link: String) throws(FileFault) {
    guard let kind = Self.kind(of: link, followingLink: true), let real = Self.realPath(link),
      !isExcluded(link)
    else { return }
    if kind == .folder {
      try walk(link, real: real)
    } else if link.hasSuffix(".swift"), seen.insert(real).inserted {
      files.append(link)
    }
  }

  /// Returns nil for a path that does not exist.
  private static func kind(of path: String, followingLink: Bool = false) -> Kind? {
    var state = stat()
    guard (followingLink ? stat(path, &state) : lstat(path, &state)) == 0 else { return nil }
    switch state.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFLNK: return .link
    default: return .other
    }
  }

  private static func realPath(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }
}
