import Foundation
import ObjectBoxTestSupport

/// The generator, run in a folder of its own.
typealias Tool = BuiltProgram

extension BuiltProgram {
  private static let name = "objectbox-generator"

  init(in folder: TemporaryDirectory? = nil) throws { try self.init(Self.name, in: folder) }

  static var executable: URL { get throws { try url(name) } }
}
