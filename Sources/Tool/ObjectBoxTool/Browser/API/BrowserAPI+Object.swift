internal import Foundation
internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxJSON

extension BrowserAPI {
  /// The greatest number of bytes of a value that an object's page shows.
  private static let shownBytes = 1 << 18

  /// An object with all its properties, and the conditions that find its related objects.
  func object(_ parameters: Parameters) throws -> Members {
    let entity = try parameters.entity
    let id = try parameters.id
    var properties: [Members] = []
    var digest: String?
    var labels = ObjectLabels()
    let version = try content.reading { version in
      labels = ObjectLabels()
      labels.add(id, of: entity.name)
      try version.forRecord(entity, id, in: content.shape) { record in
        properties = entity.properties.map { Self.members(of: $0, in: record) }
        for property in entity.properties { labels.add(property, in: record) }
        digest = Self.digest(of: record, entity)
      }
      try labels.read(in: version, content.shape)
      return version.number
    }
    guard let digest else { throw Fault(404, "there is no '\(entity.name)' with ID \(id)") }
    let relations = RelatedTable.all(of: entity, id, in: content.schema)
    return labels.member + [
      ("version", { $0.string(version) }), ("id", { $0.id(id) }),
      ("digest", { $0.string(digest) }),
      ("properties", { $0.list(properties) { $0.object($1) } }),
      (
        "relations",
        { writer in
          writer.list(relations) { writer, relation in
            writer.object([
              ("name", { $0.string(relation.name) }), ("entity", { $0.string(relation.entity) }),
              ("isBacklink", { $0.boolean(relation.isBacklink) }),
              ("isToMany", { $0.boolean(relation.isToMany) }),
              ("filter", { $0.string(relation.filter) }),
            ])
          }
        }
      ),
    ]
  }

  private static func members(of property: PropertySchema, in record: RecordReader) -> Members {
    var members: Members = [("name", { $0.string(property.name) })]
    if property.has(.id) {
      let id = record.objectID
      return members + [("text", { $0.id(id) })]
    }
    let value = record.exact(property)
    guard case .bytes(let bytes) = value else {
      let text = CellText(property).whole(value)
      return members + [("text", { $0.string(orNull: text) })]
    }
    members.append(("size", { $0.integer(bytes.count) }))
    var shown = bytes
    if bytes.count > shownBytes, let start = start(of: bytes, as: ValueForm(property)) {
      shown = start
      members.append(("isCut", { $0.boolean(true) }))
    }
    let text = CellText(property).whole(.bytes(shown))
    members.append(("text", { $0.string(orNull: text) }))
    if ValueForm(property) == .bytes, let type = ImageType(bytes) {
      members.append(("image", { $0.string(type.rawValue) }))
    }
    return members
  }

  /// Returns the first bytes of a long value; nil for a form that cannot be cut.
  private static func start(
    of bytes: UnsafeRawBufferPointer,
    as form: ValueForm
  ) -> UnsafeRawBufferPointer? {
    // A multiple of every element size.
    var count = shownBytes
    switch form {
    case .texts: return nil
    case .text, .decimal:
      // Do not cut inside a character.
      while count > 0, bytes[count] & 0xC0 == 0x80 { count -= 1 }
    default: break
    }
    return UnsafeRawBufferPointer(rebasing: bytes[..<count])
  }

  /// A digest of all values, which detects later changes.
  static func digest(of record: RecordReader, _ entity: EntitySchema) -> String {
    var writer = JSONWriter()
    for property in entity.properties where !property.has(.id) {
      writer.value(record.exact(property), as: ValueForm(property))
      writer.raw(",")
    }
    return String(writer.bytes.stableDigest, radix: 16)
  }

  /// The bytes of a property: shown if they are an image, else offered as a download.
  func bytes(_ parameters: Parameters) throws -> HTTPResponse {
    let entity = try parameters.entity
    let property = try parameters.property(of: entity)
    let id = try parameters.id
    let value = try content.reading { version in
      var value: [UInt8]?
      try version.forRecord(entity, id, in: content.shape) { record in
        if case .bytes(let bytes) = record.exact(property) { value = Array(bytes) }
      }
      return value
    }
    guard let value else { throw Fault(404, "the object has no such bytes") }
    let image = value.withUnsafeBytes { ImageType($0) }
    if let image { return HTTPResponse(200, image.rawValue, value) }
    var response = HTTPResponse(200, "application/octet-stream", value)
    response.header = [("Content-Disposition", "attachment; filename=\"\(id).bin\"")]
    return response
  }
}

/// The image types that browsers show and that cannot contain scripts, recognized by their first
/// bytes.
private enum ImageType: String {
  case png = "image/png"
  case jpeg = "image/jpeg"
  case gif = "image/gif"
  case webp = "image/webp"

  init?(_ bytes: UnsafeRawBufferPointer) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: Array("GIF8".utf8)) {
      self = .gif
    } else if bytes.starts(with: Array("RIFF".utf8)),
      bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
    {
      self = .webp
    } else {
      return nil
    }
  }
}
