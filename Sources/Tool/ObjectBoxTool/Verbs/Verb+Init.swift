internal import Foundation
internal import ObjectBoxCommandLine

extension Verb {
  static let initialize = Verb(
    name: "init",
    summary: "makes a Swift package with a first entity and a program that stores it",
    operands: ["DIRECTORY"],
    options: [
      CommandOption(
        "--package PATH",
        "the folder of a checkout of objectbox-swift-open, or the address of its repository; default the checkout "
          + "that this tool was built in"
      ),
      CommandOption(
        "--from VERSION",
        "the least version of a repository at an address, such as 0.1.0"
      ),
    ],
    details: """
      writes Package.swift, Sources/NAME/main.swift and .gitignore; NAME is the last part of DIRECTORY, in letters \
      that Swift's names may have. A directory that holds anything else is left alone. Then, in the directory, \
      'objectbox generate' writes model.json, and 'swift run' builds and runs the program

      ends with 0, or 1 when the directory is not empty or cannot be written
      """,
    examples: [
      "init Notes --package ../objectbox-swift-open",
      "init Notes --package https://git.example.org/objectbox-swift-open.git --from 0.1.0",
    ],
    run: initialize
  )

  private static func initialize(_ arguments: CommandArguments) throws -> ExitCode {
    let path = arguments.operands[0]
    let folder = URL(filePath: path, directoryHint: .isDirectory).standardizedFileURL
    let place = try PackagePlace(arguments, for: folder)
    let package = try NewPackage(in: folder, dependingOn: place)
    try package.write()
    Console.tell(
      """
      made the package '\(package.name)' in '\(path)'; next:
        cd \(path.shellQuoted)
        objectbox generate    # writes model.json; commit it
        swift run
      """
    )
    return .success
  }
}

extension String {
  /// The text as one word of a shell.
  fileprivate var shellQuoted: String {
    let isPlain = allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+".contains($0)) }
    return isPlain ? self : "'" + replacingOccurrences(of: "'", with: #"'\''"#) + "'"
  }
}
