import Foundation
import PackagePlugin

/// A C module that a target depends on, and the folder of its public headers.
struct CModule {
  var name: String
  var folder: URL

  /// The tool's arguments for the module.
  var arguments: [String] { ["--c-module", "\(name)=\(folder.path)"] }

  /// The headers and module maps: the files of the module that affect the bindings.
  var headers: [URL] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".h") || $0.hasSuffix(".modulemap") }.sorted()
      .map { folder.appending(path: $0) }
  }
}

extension Target {
  /// The C modules among this target's direct and indirect dependencies, products included.
  ///
  /// Each module appears once, the nearest first, then in the order of the manifest.
  var cModules: [CModule] {
    var seen: Set<Target.ID> = []
    var modules: [CModule] = []
    var next = directDependencies
    while !next.isEmpty {
      let level = next.filter { seen.insert($0.id).inserted }
      modules += level.compactMap(\.cModule)
      next = level.flatMap(\.directDependencies)
    }
    return modules
  }

  private var directDependencies: [any Target] {
    dependencies.flatMap { dependency -> [any Target] in
      switch dependency {
      case .target(let target): [target]
      case .product(let product): product.targets
      @unknown default: []
      }
    }
  }

  private var cModule: CModule? {
    if let target = self as? ClangSourceModuleTarget {
      return target.publicHeadersDirectoryURL.map { CModule(name: target.moduleName, folder: $0) }
    }
    // The folder of a system library holds its module map.
    return self is SystemLibraryTarget ? CModule(name: name, folder: directoryURL) : nil
  }
}
