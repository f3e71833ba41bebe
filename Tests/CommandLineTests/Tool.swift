import Foundation
import ObjectBoxTestSupport

/// The generator, run in a folder of its own.
typealias Tool = BuiltProgram

extension BuiltProgram {
  private static let name = "objectbox-generator"

  init() throws { try self.init(Self.name) }

  static var executable: URL { get throws { try url(name) } }
}
