import Foundation

/// The terminal program of a device.
@main
enum Main {
  static let usage = """
    usage: SharedList FOLDER COMMAND [--offline] [--wait SECONDS]
      join URL NAME PASSWORD   remembers the server and the user, and fetches the user's lists
      add LIST TEXT            adds an entry
      done LIST TEXT           marks an entry as done
      remove LIST TEXT         removes an entry
      list [LIST]              prints the entries
      watch                    prints what changes, until Ctrl-C
      sync                     only exchanges changes with the server
      rejections               prints what the server has rejected
      resubmit                 sends rejected changes again
      discard                  forgets rejected changes
      status                   tells the account, and what waits or was rejected
    FOLDER has the store of the device; `join` and `add` make it. Each command changes the store, then
    exchanges changes with the server for 5 seconds at most. --offline leaves that out. What could not be
    sent waits in the store.
    """

  static func main() async {
    do {
      let line = try CommandLineWords(Array(CommandLine.arguments.dropFirst()))
      try await run(line)
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ line: CommandLineWords) async throws {
    let device = try Device(
      folder: line.folder,
      mayMake: ["join", "add"].contains(line.words.first ?? "")
    )
    switch line.words {
    case let words where words.first == "join" && words.count == 4:
      device.join(Account(url: words[1], name: words[2], password: words[3]))
    case let words where words.first == "add" && words.count >= 3:
      try device.add(text(words), to: words[1])
    case let words where words.first == "done" && words.count >= 3:
      try device.finish(text(words), on: words[1])
    case let words where words.first == "remove" && words.count >= 3:
      try device.remove(text(words), from: words[1])
    case ["watch"]:
      try await device.watch()
    case ["resubmit"]:
      try device.resubmitAll()
    case ["discard"]:
      try device.discardAll()
    case ["list"], ["sync"], ["rejections"], ["status"]: break
    case let words where words.first == "list" && words.count == 2: break
    default: throw Failure(usage)
    }
    // Results show what the server has sent, if it can be reached.
    if !line.isOffline { try await device.exchange(within: line.wait) }
    switch line.words.first {
    case "join": try device.remember()
    case "list": try device.entries(of: line.words.dropFirst().first).forEach { tell($0.line) }
    case "rejections": try device.rejections().forEach(tell)
    case "status": try device.status().forEach(tell)
    default: break
    }
  }

  private static func text(_ words: [String]) -> String {
    words.dropFirst(2).joined(separator: " ")
  }
}

/// The words of the command line without its options.
struct CommandLineWords {
  let folder: String
  var words: [String] = []
  var isOffline = false
  var wait = Duration.seconds(5)

  init(_ arguments: [String]) throws {
    guard let folder = arguments.first, arguments.count > 1 else { throw Failure(Main.usage) }
    self.folder = folder
    var rest = arguments.dropFirst()
    while let word = rest.popFirst() {
      switch word {
      case "--offline": isOffline = true
      case "--wait":
        guard let value = rest.popFirst(), let seconds = Double(value), seconds > 0 else {
          throw Failure("'--wait' needs a number of seconds")
        }
        wait = .seconds(seconds)
      default: words.append(word)
      }
    }
  }
}

/// An error for the user.
struct Failure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// Prints a line at once, so that programs which read the output need not wait.
func tell(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
