internal import Foundation

/// The identity of a build of the tool, so that a build ignores the answers of others.
package enum ToolIdentity {
  /// The path, size, time and file number of the running program.
  package static var current: String {
    // A link to another build keeps its own path.
    let place = URL(fileURLWithPath: Bundle.main.executablePath ?? "")
    let path = place.resolvingSymlinksInPath().path
    let facts = try? FileManager.default.attributesOfItem(atPath: path)
    let time = (facts?[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
    let size = (facts?[.size] as? NSNumber)?.uint64Value ?? 0
    let number = (facts?[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
    return "\(path) \(size) \(time) \(number)"
  }
}
