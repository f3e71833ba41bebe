internal import Foundation
internal import ObjectBoxTool

/// The command line tool for store files.
@main
enum ToolMain {
  static func main() {
    exit(Tool.run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }
}
