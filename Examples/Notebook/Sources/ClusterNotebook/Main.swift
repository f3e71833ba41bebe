import Foundation
import ObjectBox
import ObjectBoxCluster

/// The notebook on a server: the entities of the Notebook example in another store.
@main
enum Main {
  static let usage = """
    usage: ClusterNotebook ADDRESS COMMAND
      copy FOLDER         copies the notes and tags of an embedded store to a database without any
      tour                shows queries with their plans and times, and a violated constraint
      stats               counts notes and tags
      transfer SECONDS    moves uses between tags on 8 tasks, and tells what was acknowledged and what is stored
    ADDRESS is a connection string of PostgreSQL, such as postgresql://localhost/app.
    """

  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    do {
      switch words.dropFirst() {
      case let rest where rest.first == "copy" && rest.count == 2:
        try await Copying(cluster: Cluster(words[0])).run(from: words[2])
      case ["tour"]: try await Tour(cluster: Cluster(words[0])).run()
      case ["stats"]: try await showStatistics(Cluster(words[0]))
      case let rest where rest.first == "transfer" && rest.count == 2:
        guard let seconds = Int(words[2]), seconds > 0 else {
          throw Failure(description: "'\(words[2])' is no number of seconds")
        }
        try await Transfers(cluster: Cluster(words[0])).run(for: .seconds(seconds))
      default:
        print(usage)
        exit(2)
      }
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func showStatistics(_ cluster: Cluster) async throws {
    print("\(try await cluster.box(for: Note.self).count()) notes")
    let tags = try await cluster.box(for: Tag.self).query()
      .ordered(by: Tag.uses, flags: .descending).find()
    for tag in tags { print("  #\(tag.name): \(tag.uses)") }
  }
}

/// An error message for the user.
struct Failure: Error, CustomStringConvertible {
  var description: String
}
