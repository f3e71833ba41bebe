/// The bytes of indexes over several properties and of full-text indexes.
extension SchemaCoding {
  // MARK: Indexes over several properties

  static func write(_ index: CompoundIndexSchema, to writer: inout ByteWriter) {
    write(index.identity, to: &writer)
    writer.write(UInt8(index.isUnique ? 1 : 0))
    writer.write(index.propertyIDs) { $0.write($1) }
  }

  static func readCompoundIndex(
    _ reader: inout ByteReader
  ) throws(ByteReader.Damage) -> CompoundIndexSchema {
    CompoundIndexSchema(
      identity: try readIdentity(&reader),
      isUnique: try reader.read(UInt8.self) != 0,
      propertyIDs: try reader.readArray(each: readNumber)
    )
  }

  // MARK: Full-text indexes

  static func write(_ index: FullTextIndexSchema, to writer: inout ByteWriter) {
    write(index.identity, to: &writer)
    writer.write(index.name) { $0.write($1) }
    writer.write(index.parts) { writer, part in
      writer.write(part.propertyID)
      writer.write(part.weight)
    }
    writer.write(index.language) { $0.write($1) }
    writer.write(index.prefixes) { $0.write($1) }
    writer.write(UInt8(index.keepsDiacritics ? 1 : 0))
    writer.write(index.k1) { $0.write($1.bitPattern) }
    writer.write(index.b) { $0.write($1.bitPattern) }
    writer.write(index.tokenizer) { $0.write($1) }
  }

  static func readFullTextIndex(
    _ reader: inout ByteReader
  ) throws(ByteReader.Damage) -> FullTextIndexSchema {
    func real(_ reader: inout ByteReader) throws(ByteReader.Damage) -> Double? {
      try reader.readOptional { (reader) throws(ByteReader.Damage) in
        Double(bitPattern: try reader.read(UInt64.self))
      }
    }
    var index = FullTextIndexSchema(
      identity: try readIdentity(&reader),
      name: try reader.readOptional(some: readText),
      parts: try reader.readArray { (reader) throws(ByteReader.Damage) in
        FullTextIndexSchema.Part(propertyID: try reader.read(), weight: try reader.read())
      }
    )
    index.language = try reader.readOptional(some: readText)
    index.prefixes = try reader.readArray(each: readNumber)
    index.keepsDiacritics = try reader.read(UInt8.self) != 0
    index.k1 = try real(&reader)
    index.b = try real(&reader)
    index.tokenizer = try reader.readArray(each: readNumber)
    guard index.isPossible else { throw ByteReader.Damage() }
    return index
  }
}
