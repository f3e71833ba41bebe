import Foundation
import ObjectBox

/// Executes the commands of `Benchmarks/Peers/search.py`, which compares the answers and times of
/// several programs.
///
/// usage: SearchBenchmark FOLDER
@main
enum Main {
  static func main() throws {
    guard CommandLine.arguments.count == 2 else {
      FileHandle.standardError.write(Data("usage: SearchBenchmark FOLDER\n".utf8))
      exit(2)
    }
    let commands = try Commands(folder: CommandLine.arguments[1])
    while let line = readLine() {
      print(try commands.answer(line.split(separator: "\t").map(String.init)))
      fflush(nil)
    }
  }
}
