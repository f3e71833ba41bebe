/// The sources that the schema depends on, which alone are parsed.
///
/// A file is parsed when its bytes have an annotation, perhaps with a misspelt prefix, the word `Entity` or
/// the marker of a merge conflict, or when it may declare or extend a type that the files parsed so far need.
/// Of the latter, only the needed blocks are parsed.
/// The result is that of parsing all files, except for syntax errors in what is not parsed, which the compiler
/// reports.
package enum SourceSelection {
  /// Returns the parsed sources in the order of the files, without irrelevant ones.
  package static func parse(
    _ files: [SourceFile],
    with reader: any SourceReader,
    annotationPrefix: String = "objectbox",
    conditions: BuildConditions = BuildConditions()
  ) -> [ParsedSource] {
    parsePlaces(files, with: reader, annotationPrefix: annotationPrefix, conditions: conditions)
      .sorted { $0.key < $1.key }.map(\.value)
  }

  /// Returns the parsed sources by the indices of their files.
  package static func parsePlaces(
    _ files: [SourceFile],
    with reader: any SourceReader,
    annotationPrefix: String,
    conditions: BuildConditions = BuildConditions()
  ) -> [Int: ParsedSource] {
    let isRoot = Parallel.map(files) { mayMatterByItself($0.text, annotationPrefix) }
    var parsed: [Int: ParsedSource] = [:]
    var blocks: [Int: NeededBlocks] = [:]
    var chosen = files.indices.filter { isRoot[$0] }
    var others: Others?
    while !chosen.isEmpty {
      let known = blocks
      let results = Parallel.map(chosen) { place in
        reader.parse(
          files[place],
          pruned: known[place]?.pruned(files[place].text),
          annotationPrefix: annotationPrefix,
          conditions: conditions
        )
      }
      for (place, result) in zip(chosen, results) { parsed[place] = result }
      let needed = NeededNames(of: Array(parsed.values))
      if needed.declared.isEmpty { break }
      let index = others ?? Others(files, files.indices.filter { !isRoot[$0] })
      others = index
      // A file that is needed for further names than before may be needed with further blocks.
      let places = index.places(needed)
      let found = Parallel.map(places) { NeededBlocks(of: files[$0].text, for: needed) }
      chosen = zip(places, found).filter { blocks[$0] != $1 }.map(\.0)
      for (place, found) in zip(places, found) { blocks[place] = found }
    }
    return parsed
  }

  private static func mayMatterByItself(_ text: String, _ annotationPrefix: String) -> Bool {
    SourceBytes.of(text) { bytes in
      bytes.first(annotationPrefix + ":") != nil || !bytes.ends(ofWord: "Entity").isEmpty
        || bytes.first("<<<<<<< ") != nil || bytes.mayMisspell(annotationPrefix)
    }
  }

  /// The files that are parsed only when needed, by the names that they may declare or extend.
  private struct Others {
    private var declaring: [String: [Int]] = [:]
    private var extending: [String: [Int]] = [:]

    init(_ files: [SourceFile], _ places: [Int]) {
      let mentioned = Parallel.map(places) { MentionedDeclarations(in: files[$0].text) }
      for (place, names) in zip(places, mentioned) {
        for name in names.declared { declaring[name, default: []].append(place) }
        for name in names.extended { extending[name, default: []].append(place) }
      }
    }

    /// Returns the indices in ascending order.
    func places(_ needed: NeededNames) -> [Int] {
      let declared = needed.declared.flatMap { declaring[$0] ?? [] }
      let extended = needed.extended.flatMap { extending[$0] ?? [] }
      return Set(declared + extended).sorted()
    }
  }
}
