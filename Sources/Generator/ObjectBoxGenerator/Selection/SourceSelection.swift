/// Selects and parses the sources on which the schema depends.
///
/// A file is parsed when it contains one of the ``SourceMarks``, or when it may declare or extend a
/// type that the files parsed so far need. Only the needed blocks of a file are parsed.
///
/// Parsing all files would give the same result, except for syntax errors in code that is not
/// parsed. The compiler reports such errors.
package enum SourceSelection {
  /// Returns the parsed sources in the order of the files, without irrelevant files.
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
    func blocks(_ places: [Int], for needed: NeededNames) -> [NeededBlocks] {
      Parallel.map(places) {
        NeededBlocks(of: files[$0].text, for: needed, annotationPrefix: annotationPrefix)
      }
    }
    let isRoot = Parallel.map(files) { SourceMarks.isIn($0.text, annotationPrefix) }
    let roots = files.indices.filter { isRoot[$0] }
    var parsed: [Int: ParsedSource] = [:]
    var chosen = roots
    var known = Dictionary(
      uniqueKeysWithValues: zip(roots, blocks(roots, for: NeededNames(of: [])))
    )
    var declarations: Declarations?
    while !chosen.isEmpty {
      let current = known
      let results = Parallel.map(chosen) { place in
        reader.parse(
          files[place],
          pruned: current[place]?.pruned(files[place].text),
          annotationPrefix: annotationPrefix,
          conditions: conditions
        )
      }
      for (place, result) in zip(chosen, results) { parsed[place] = result }
      let needed = NeededNames(of: Array(parsed.values))
      if needed.declared.isEmpty { break }
      let index = declarations ?? Declarations(files)
      declarations = index
      // A file that is needed for more names may be needed with more blocks.
      let places = index.places(needed)
      let found = blocks(places, for: needed)
      chosen = zip(places, found).filter { known[$0] != $1 }.map(\.0)
      for (place, found) in zip(places, found) { known[place] = found }
    }
    return parsed
  }

  /// Indices of the files, by the names that the files may declare or extend.
  private struct Declarations {
    private var declaring: [String: [Int]] = [:]
    private var extending: [String: [Int]] = [:]

    init(_ files: [SourceFile]) {
      let mentioned = Parallel.map(files) { MentionedDeclarations(in: $0.text) }
      for (place, names) in mentioned.enumerated() {
        for name in names.declared { declaring[name, default: []].append(place) }
        for name in names.extended { extending[name, default: []].append(place) }
      }
    }

    /// Returns the indices of the needed files in ascending order.
    func places(_ needed: NeededNames) -> [Int] {
      let declared = needed.declared.flatMap { declaring[$0] ?? [] }
      let extended = needed.extended.flatMap { extending[$0] ?? [] }
      return Set(declared + extended).sorted()
    }
  }
}
