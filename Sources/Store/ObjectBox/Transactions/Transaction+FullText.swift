// The writers of full-text indexes: words wait in them until a run of them is written.

extension Transaction {
  /// Returns the writer of a full-text index.
  func fullTextWriter(_ definition: FullTextIndexDefinition) throws -> FullTextIndexWriter {
    if let writer = fullTextWriters[definition.runs] { return writer }
    let writer = try FullTextIndexWriter(definition, in: storage)
    fullTextWriters[definition.runs] = writer
    return writer
  }

  /// Forgets the writer of a full-text index; its tables are about to be emptied.
  func forgetFullTextWriter(_ definition: FullTextIndexDefinition) {
    fullTextWriters[definition.runs] = nil
  }

  /// Writes the words that writers of full-text indexes have gathered.
  ///
  /// Writers do not outlive it: a child transaction may change what they know of their index.
  func flushFullText() throws {
    guard !fullTextWriters.isEmpty else { return }
    let writers = fullTextWriters
    fullTextWriters = [:]
    for writer in writers.values { try writer.flush() }
  }

  /// Forgets the words that writers of full-text indexes have gathered.
  func dropFullTextWriters() {
    if !fullTextWriters.isEmpty { fullTextWriters = [:] }
  }
}
