internal import Foundation

/// What tells whether the inputs of a run have changed: the size and the time of each file.
package struct InputState: Equatable, Sendable {
  private struct File: Equatable, Sendable {
    var size: Int
    var time: Date
  }

  private var files: [String: File] = [:]

  /// Looks at the sources, the model and the templates of a run.
  ///
  /// A path that cannot be read is left out, and makes a difference when it can.
  package init(of options: Generator.Options) {
    let sources =
      (try? SourceFinder.list(options.sources, excluding: options.excludedSources)) ?? []
    for path in sources + [options.modelPath] + options.templates.map(\.path) {
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
