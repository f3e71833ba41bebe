internal import Foundation
package import ObjectBoxGenerator

/// Sizes and modification times of a run's inputs, compared to see whether they changed.
package struct InputState: Equatable, Sendable {
  private struct File: Equatable, Sendable {
    var size: Int
    var time: Date
  }

  private var files: [String: File] = [:]

  /// Reads the attributes of the sources, the model and the templates.
  ///
  /// Unreadable paths are left out.
  package init(of options: GeneratorOptions) {
    let sources =
      (try? SourceFinder.find(options.sources, excluding: options.excludedSources)) ?? []
    for path in sources.map(\.path) + [options.modelPath] + options.templates.map(\.path) {
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
        continue
      }
      files[path] = File(
        size: attributes[.size] as? Int ?? 0,
        time: attributes[.modificationDate] as? Date ?? .distantPast
      )
    }
  }
}
