import Foundation
import ObjectBox

/// The terminal program.
@main
enum Main {
  static let usage = """
    usage: Notebook COMMAND
      add TITLE TEXT [TAG ...]   stores a note
      list [COUNT]               shows the newest notes (10)
      find TEXT                  shows notes by the beginning of the title, or a part of the text
      import FILE                stores notes from a file of JSON lines
      make-notes COUNT FILE      writes such a file with made-up notes
      stats                      counts notes and tags
      tour                       shows queries with their plans and times
    The notes are kept in the folder that NOTEBOOK_FOLDER names, else in ./notebook-data.
    """

  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(1)
    }
  }

  /// Tells that printed times are not those of an optimised program.
  #if DEBUG
    private static let buildNote = " (debug build, not optimised)"
  #else
    private static let buildNote = ""
  #endif

  private static var folder: String {
    ProcessInfo.processInfo.environment["NOTEBOOK_FOLDER"] ?? "notebook-data"
  }

  private static func run(_ words: [String]) throws {
    switch (words.first, words.count) {
    case ("add", 3...):
      let slug = words[1].lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
      let note = Note(
        slug: slug,
        title: words[1],
        text: words[2],
        tags: Array(words.dropFirst(3)),
        created: Date()
      )
      try Notebook(folder: folder).add(note)
      print("stored note \(note.id) as '\(slug)'")
    case ("list", 1...2):
      try show(Notebook(folder: folder).newest(words.count == 2 ? Int(words[1]) ?? 10 : 10))
    case ("find", 2): try show(Notebook(folder: folder).find(words[1]))
    case ("import", 2):
      let notebook = try Notebook(folder: folder)
      let clock = ContinuousClock()
      let start = clock.now
      let count = try Importer(notebook: notebook).run(words[1])
      let duration = clock.now - start
      print("imported \(count) notes in \(duration.formatted(.units(width: .narrow)))\(buildNote)")
    case ("make-notes", 3):
      guard let count = Int(words[1]), count > 0 else { throw Failure("'\(words[1])' is no count") }
      try NoteMaker.write(count: count, to: words[2])
      print("wrote \(count) notes to \(words[2])")
    case ("stats", 1): try showStatistics()
    case ("tour", 1): try Tour(folder: folder).run()
    default:
      print(usage)
      exit(words.isEmpty || words == ["help"] || words == ["--help"] ? 0 : 1)
    }
  }

  private static func show(_ notes: [Note]) {
    for note in notes {
      let tags = note.tags.map { "#" + $0 }.joined(separator: " ")
      print("\(note.created.formatted(.iso8601))  \(note.title)  \(tags)")
    }
    if notes.isEmpty { print("no notes") }
  }

  private static func showStatistics() throws {
    let notebook = try Notebook(folder: folder)
    print("\(try notebook.notes.count()) notes")
    for priority in Priority.allCases {
      let count = try notebook.notes.query { .priority == priority.rawValue }.build().count()
      print("  \(priority): \(count)")
    }
    let tags = try notebook.tags.query().ordered(by: Tag.uses, flags: .descending).build().find()
    for tag in tags { print("  #\(tag.name): \(tag.uses)") }
  }
}
