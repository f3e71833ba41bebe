import Foundation
import PackagePlugin

/// The generator that a plugin runs: built with the package, or installed on the machine.
///
/// The manifest reads the same variable: with an installed generator, no build compiles another.
struct GeneratorTool {
  /// The environment variable with the absolute path of an installed generator; an empty value
  /// counts as unset.
  static let variable = "OBJECTBOX_GENERATOR"

  /// The program of builds, which the package builds: only what a build needs.
  ///
  /// In Xcode, findings name the program that also writes the model, so macOS has one program for
  /// all. The manifest chooses in the same way.
  #if os(macOS)
    static let buildProgram = commandProgram
  #else
    static let buildProgram = "objectbox-bindings"
  #endif
  /// The program of commands, which the package builds; only this one is installed.
  static let commandProgram = "objectbox-generator"

  let url: URL
  let isInstalled: Bool

  /// Finds the generator, and checks the version of an installed one.
  ///
  /// - Parameters:
  ///   - program: The name of the program that the package builds.
  ///   - builtTool: Returns the URL of that program. Called only without an installed generator.
  /// - Throws: ``PluginFault`` if the path is not an absolute path of an executable, or if the
  ///   generator's version differs from the plugin's: its bindings may not fit the runtime.
  init(_ program: String, built builtTool: (String) throws -> URL) throws {
    guard let path = ProcessInfo.processInfo.environment[Self.variable], !path.isEmpty else {
      url = try builtTool(program)
      isInstalled = false
      return
    }
    url = URL(filePath: path)
    isInstalled = true
    guard path.hasPrefix("/") else { throw Self.fault(path, "is no absolute path") }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Self.fault(path, "does not exist")
    }
    guard !isFolder.boolValue, FileManager.default.isExecutableFile(atPath: path) else {
      throw Self.fault(path, "is no program that this user may run")
    }
    let version = try printedVersion()
    guard version == ProductVersion.text else {
      throw Self.fault(
        path,
        "has version '\(version)', and the package has version '\(ProductVersion.text)'"
      )
    }
    Diagnostics.remark("the installed generator '\(path)' is used")
  }

  private static func fault(_ path: String, _ reason: String) -> PluginFault {
    PluginFault(
      "the generator '\(path)', which \(variable) names, \(reason); set the variable to the absolute "
        + "path of the generator of version \(ProductVersion.text), or unset it to build the generator"
    )
  }

  /// Returns the first line that the program prints for `--version`.
  private func printedVersion() throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = url
    process.arguments = ["--version"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    do { try process.run() } catch {
      throw Self.fault(url.path, "cannot be started: \(error.localizedDescription)")
    }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).first
      .map(String.init) ?? ""
  }

  /// Runs the tool and returns its exit status, or 255 if a signal ended it.
  func status(of arguments: [String]) throws -> Int32 {
    let process = try Process.run(url, arguments: arguments)
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : 255
  }

  /// Runs the tool; throws ``PluginFault`` unless its exit status is 0.
  func run(_ arguments: [String]) throws {
    try Self.refuse(try status(of: arguments))
  }

  /// Throws ``PluginFault`` for a status other than 0.
  static func refuse(_ status: Int32) throws {
    guard status == 0 else { throw PluginFault("the generator ended with status \(status)") }
  }
}
