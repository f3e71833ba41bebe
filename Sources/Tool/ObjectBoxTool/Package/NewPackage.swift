internal import Foundation
internal import ObjectBoxCommandLine

/// The files of a new package: a manifest, a program with an entity, and what version control leaves out.
struct NewPackage {
  let name: String
  private let folder: URL
  private let place: PackagePlace

  /// Names the package by the last part of its folder.
  ///
  /// - Throws: ``Failure`` if the folder holds anything but a repository of Git, and ``UsageFault``
  ///   for a folder with a name from which no Swift name can be made.
  init(in folder: URL, dependingOn place: PackagePlace) throws {
    let words = folder.lastPathComponent.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    guard name.first?.isLetter == true else {
      throw UsageFault(
        text:
          "the folder '\(folder.lastPathComponent)' gives no name for a target; use one that "
          + "begins with a letter from a to z"
      )
    }
    // A target of this name would clash with the module that it imports.
    guard !name.lowercased().hasPrefix("objectbox") else {
      throw UsageFault(
        text: "'\(name)' is a name of ObjectBox's own modules; choose another folder"
      )
    }
    let present = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    if let other = present.sorted().first(where: { $0 != ".git" }) {
      throw Failure("the folder '\(folder.path)' holds '\(other)' already; nothing was written")
    }
    self.name = name
    self.folder = folder
    self.place = place
  }

  /// Writes the files.
  func write() throws {
    for (path, text) in files {
      let file = folder.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data(text.utf8).write(to: file)
    }
  }

  private var files: [(path: String, text: String)] {
    [
      ("Package.swift", manifest), ("Sources/\(name)/main.swift", program),
      (".gitignore", ".build/\nstore/\n"),
    ]
  }

  private var manifest: String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "\(name)",
      platforms: [.macOS(.v15)],
      dependencies: [
        \(place.dependency)
      ],
      targets: [
        .executableTarget(
          name: "\(name)",
          dependencies: [.product(name: "ObjectBox", package: "\(PackagePlace.packageName)")],
          plugins: [.plugin(name: "ObjectBoxPlugin", package: "\(PackagePlace.packageName)")]
        )
      ]
    )

    """
  }

  private var program: String {
    """
    import Foundation
    import ObjectBox

    // objectbox: entity
    final class Note {
      var id: Id = 0
      var text: String = ""
      // objectbox: index
      var created: Date = Date()

      init() {}
      init(text: String) {
        self.text = text
      }
    }

    // The store is a folder beside the package; a real program chooses a place of its own.
    let store = try Store(directoryPath: "store")
    let notes = store.box(for: Note.self)
    try notes.put(Note(text: "Hello from run \\(try notes.count() + 1)"))

    let recent = try notes.query { Note.created > Date(timeIntervalSinceNow: -86_400) }
      .ordered(by: Note.created, flags: .descending)
      .build()
    for note in try recent.find(offset: 0, limit: 10) {
      print(note.id, note.text)
    }

    """
  }
}
