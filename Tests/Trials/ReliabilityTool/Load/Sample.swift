import Foundation
import ObjectBox

/// Figures of this process.
struct ProcessFigures {
  /// Private memory, without mapped files, in KiB; 0 where the system does not report it.
  var memory: Int
  var descriptors: Int

  static var now: ProcessFigures {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    let folder = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    return ProcessFigures(
      memory: line?.split(separator: " ").compactMap { Int($0) }.first ?? 0,
      descriptors: folder?.count ?? 0
    )
  }
}

/// Figures of a store and its process at one time.
struct Sample {
  var pages: Int
  var readers: Int
  var versions: Int
  var memory: Int

  init(_ store: Store) throws {
    let statistics = try store.statistics
    pages = statistics.pages
    readers = statistics.readers
    versions = store.activeVersions.count
    memory = ProcessFigures.now.memory
  }

  // Bounds of the growth after the first quarter of the run, or of the whole run.
  private static let readerBound = 40
  private static let versionBound = 8
  private static let memoryBoundInKilobytes = 48 * 1024
  /// Bounds the pages of data and free pages.
  private static let pageBound = 1500
  /// Pages that a commit may write.
  ///
  /// While a version is held, no commit's pages can be reused.
  private static let pagesOfCommit = 60

  /// Returns the broken bounds.
  ///
  /// - Parameters:
  ///   - samples: The samples in order.
  ///   - longestHold: The most commits during which a version was held.
  /// - Returns: A text for each broken bound.
  static func faults(_ samples: [Sample], longestHold: Int) -> [String] {
    guard samples.count >= 8 else { return [] }
    let (first, rest) = (samples.prefix(samples.count / 4), samples.suffix(samples.count / 4))
    func most(_ samples: ArraySlice<Sample>, _ value: (Sample) -> Int) -> Int {
      samples.map(value).max() ?? 0
    }
    var faults: [String] = []
    func hold(_ name: String, _ value: Int, to bound: Int) {
      if value > bound { faults.append("\(name) grew to \(value); the bound is \(bound)") }
    }
    hold("readers", most(samples[...], \.readers), to: readerBound)
    hold("held versions", most(samples[...], \.versions), to: versionBound)
    let pages = pageBound + pagesOfCommit * longestHold
    hold("pages of the file", most(samples[...], \.pages), to: pages)
    hold("memory in KiB", most(rest, \.memory), to: most(first, \.memory) + memoryBoundInKilobytes)
    return faults
  }

  /// Returns the first and the greatest figures as a text.
  static func figures(_ samples: [Sample]) -> String {
    func text(_ name: String, _ value: (Sample) -> Int) -> String {
      let values = samples.map(value)
      let quarter = values.prefix(max(1, values.count / 4)).max() ?? 0
      let most = values.suffix(max(1, values.count / 4)).max() ?? 0
      return "\(name) \(quarter) in the first quarter, \(most) in the last"
    }
    return [
      text("pages", \.pages), text("readers", \.readers), text("versions", \.versions),
      text("KiB of memory", \.memory),
    ].joined(separator: "; ")
  }
}
