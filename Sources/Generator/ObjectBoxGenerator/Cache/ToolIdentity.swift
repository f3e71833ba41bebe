internal import Foundation

/// Identity of a build of the tool, so that one build ignores the cached answers of another.
package enum ToolIdentity {
  /// Path, size, modification time and file number of the running program.
  package static var current: String {
    // Through the link: one link may point to different builds over time.
    let place = URL(fileURLWithPath: Bundle.main.executablePath ?? "")
    let path = place.resolvingSymlinksInPath().path
    let facts = try? FileManager.default.attributesOfItem(atPath: path)
    let time = (facts?[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
    let size = (facts?[.size] as? NSNumber)?.uint64Value ?? 0
    let number = (facts?[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
    return "\(path) \(size) \(time) \(number)"
  }
}
