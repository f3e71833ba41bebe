import Foundation

/// The users that a file names, with their rights.
///
/// A real server would ask a directory of users, or accept their tokens by `.jwt`.
struct Users: Sendable {
  private struct User: Sendable {
    let password: String
    let writable: [String]
    let readable: [String]
  }

  private var users: [String: User] = [:]

  init(file: String) throws {
    for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    where !line.hasPrefix("#") {
      let words = line.split(separator: " ").map(String.init)
      guard (3...4).contains(words.count) else {
        throw Failure("'\(line)' in '\(file)' is not NAME PASSWORD LIST,… [LIST,…]")
      }
      let lists = words.dropFirst(2).map { $0.split(separator: ",").map(String.init) }
      users[words[0]] = User(
        password: words[1],
        writable: lists[0],
        readable: lists.flatMap { $0 }
      )
    }
  }

  func accepts(_ name: String, _ password: String) -> Bool { users[name]?.password == password }
  func readable(by name: String) -> [String] { users[name]?.readable ?? [] }
  func writable(by name: String) -> [String] { users[name]?.writable ?? [] }
}
