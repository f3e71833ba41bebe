extension Generator.Options {
  /// Makes the schema of sources, as the options say to read them.
  ///
  /// - Parameter files: The sources, in any order.
  /// - Returns: The schema with its findings, and whether C headers had to be looked at.
  /// - Throws: ``FileFault`` when a header cannot be read.
  func schema(
    of files: [SourceFile]
  ) throws(FileFault) -> (built: SchemaBuilder.Result, needsHeaders: Bool) {
    let parsed = SourceSelection.parse(
      files.sorted { $0.path < $1.path },
      annotationPrefix: annotationPrefix,
      conditions: conditions
    )
    let demand = SchemaBuilder.demandedCTypes(parsed)
    let cTypes = try CTypeReader.read(demand, in: cHeaders)
    return (SchemaBuilder.build(parsed, cTypes: cTypes), !demand.isEmpty)
  }
}
