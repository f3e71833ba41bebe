import Foundation
import PackagePlugin

/// The generator, run by the command in a process of its own.
struct GeneratorTool {
  let url: URL

  /// Runs the tool and returns its exit status, 255 for a process that a signal ended.
  func status(of arguments: [String]) throws -> Int32 {
    let process = try Process.run(url, arguments: arguments)
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : 255
  }

  /// Runs the tool; throws ``PluginFault`` unless it ends with 0.
  func run(_ arguments: [String]) throws {
    try Self.refuse(try status(of: arguments))
  }

  /// Throws ``PluginFault`` for a status other than 0.
  static func refuse(_ status: Int32) throws {
    guard status == 0 else { throw PluginFault("the generator ended with status \(status)") }
  }
}
