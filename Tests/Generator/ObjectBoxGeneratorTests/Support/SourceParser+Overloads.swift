import ObjectBoxSwiftReader

@testable import ObjectBoxGenerator
@testable import ObjectBoxModelTools

// Entry points of the generator with the Swift parser, which all tests use.

extension Generator {
  init(_ options: Options) {
    self.init(options, reader: SourceParser()) { options, files in
      NearMisses(options).find(in: files)
    }
  }
}

extension ModelCheck {
  static func run(_ options: GeneratorOptions) throws -> Outcome {
    try run(options, reader: SourceParser())
  }
}

extension SchemaBuilder {
  /// Parses the files that matter and makes their schema.
  static func build(
    _ files: [SourceFile],
    annotationPrefix: String = "objectbox",
    conditions: BuildConditions = BuildConditions()
  ) -> Result {
    build(
      SourceSelection.parse(
        files.sorted { $0.path < $1.path },
        annotationPrefix: annotationPrefix,
        conditions: conditions
      )
    )
  }
}

extension SourceSelection {
  static func parse(
    _ files: [SourceFile],
    annotationPrefix: String = "objectbox",
    conditions: BuildConditions = BuildConditions()
  ) -> [ParsedSource] {
    parse(
      files,
      with: SourceParser(),
      annotationPrefix: annotationPrefix,
      conditions: conditions
    )
  }

  static func parsePlaces(_ files: [SourceFile], annotationPrefix: String) -> [Int: ParsedSource] {
    parsePlaces(files, with: SourceParser(), annotationPrefix: annotationPrefix)
  }
}
