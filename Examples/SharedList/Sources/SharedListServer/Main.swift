import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxSyncServer

/// The server of shared lists.
@main
enum Main {
  static let usage = """
    usage: SharedListServer DATABASE PORT USERS
      DATABASE  a connection string of PostgreSQL, such as postgresql://localhost/lists
      PORT      0 for any free one
      USERS     a file with one user a line: NAME PASSWORD LIST,LIST… [LIST,LIST…]
                the user may change the first lists, and read the second ones
    """

  static func main() async {
    do {
      let words = CommandLine.arguments.dropFirst()
      guard words.count == 3, let port = Int(words[2]) else { throw Failure(usage) }
      let users = try Users(file: words[3])
      let server = SyncServer(
        cluster: try await Cluster(words[1]),
        listen: .init(port: port),
        authenticate: .password { name, password in
          users.accepts(name, password) ? SyncUser(id: name) : nil
        }
      ) {
        rule(Entry.self) { user in Entry.list.isIn(users.readable(by: user.id)) }
        write(Entry.self) { user in Entry.list.isIn(users.writable(by: user.id)) }
      }
      let running = try await server.start()
      print("serving at ws://127.0.0.1:\(running.port), until Ctrl-C")
      fflush(nil)
      await interruption()
      await running.stop()
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(1)
    }
  }

  /// Waits until the process is asked to end.
  private static func interruption() async {
    let (signals, signalled) = AsyncStream.makeStream(of: Void.self)
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { signalled.yield() }
      source.resume()
      return source
    }
    for await _ in signals { break }
    sources.forEach { $0.cancel() }
  }
}

/// An error for the user.
struct Failure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
