internal import Foundation

/// Finds the headers of a module as SwiftPM does.
enum CHeaderFinder {
  /// Returns the headers of a run in order of precedence: single headers first, then headers of modules.
  ///
  /// - Throws: ``FileFault`` when a given header or folder does not exist.
  static func files(of headers: CHeaders) throws(FileFault) -> [String] {
    for file in headers.files where !isFile(file) {
      throw FileFault("read", file, "there is no such C header")
    }
    for folder in headers.searchFolders where !isFolder(folder) {
      throw FileFault("read", folder, "there is no such folder of C headers")
    }
    var files = headers.files
    for module in headers.modules { files += try self.files(of: module) }
    return files
  }

  /// Returns the headers that the module map lists.
  ///
  /// Without a map: the umbrella header named like the module. Without either: all headers below
  /// the folder.
  private static func files(of module: CHeaders.Module) throws(FileFault) -> [String] {
    let map = module.folder + "/module.modulemap"
    if isFile(map) {
      var files: [String] = []
      for part in ModuleMap.parts(of: try SourceFinder.readText(map)) {
        switch part {
        case .header(let name): files.append(path(name, in: module.folder))
        case .umbrellaFolder(let name): files += try all(below: path(name, in: module.folder))
        }
      }
      return files.filter(isFile)
    }
    for umbrella in ["\(module.name).h", "\(module.name)/\(module.name).h"]
    where isFile(module.folder + "/" + umbrella) {
      return [module.folder + "/" + umbrella]
    }
    return try all(below: module.folder)
  }

  /// Returns the headers below a folder, sorted by the bytes of their paths.
  private static func all(below folder: String) throws(FileFault) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.subpathsOfDirectory(atPath: folder)
    } catch {
      throw FileFault("read", folder, error)
    }
    return names.filter { $0.hasSuffix(".h") }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .map { folder + "/" + $0 }
  }

  private static func path(_ name: String, in folder: String) -> String {
    name.hasPrefix("/") ? name : name == "." ? folder : folder + "/" + name
  }

  private static func isFile(_ path: String) -> Bool { isThere(path, asFolder: false) }

  private static func isFolder(_ path: String) -> Bool { isThere(path, asFolder: true) }

  private static func isThere(_ path: String, asFolder: Bool) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue == asFolder
  }
}
