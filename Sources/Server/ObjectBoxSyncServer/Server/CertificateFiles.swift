internal import Foundation

/// Detects changes of the files of a certificate.
struct CertificateFiles: Sendable {
  private let paths: [String]
  private var known: [Date?]

  /// Records the present files.
  init(_ paths: [String]) {
    self.paths = paths
    known = Self.dates(of: paths)
  }

  /// Returns true if a file has changed since the last call.
  mutating func haveChanged() -> Bool {
    let dates = Self.dates(of: paths)
    defer { known = dates }
    return dates != known
  }

  private static func dates(of paths: [String]) -> [Date?] {
    paths.map { path in
      // The date of a symbolic link's target, since renewals often replace the target.
      let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      return (try? FileManager.default.attributesOfItem(atPath: file))?[.modificationDate] as? Date
    }
  }
}
