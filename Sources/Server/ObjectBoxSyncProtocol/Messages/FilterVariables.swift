/// Named texts by which a device narrows the objects that it gets, among those that its user may see.
package struct FilterVariables: Hashable, Sendable {
  /// The most variables of a device.
  package static let limit = 1_000
  /// The greatest number of bytes in all names and values.
  package static let sizeLimit = 1 << 16

  /// The values by name.
  package let values: [String: String]

  /// Creates variables; nil if they are more or longer than a device may have.
  ///
  /// - Parameter values: The values by name.
  package init?(_ values: [String: String]) {
    let size = values.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    guard values.count <= Self.limit, size <= Self.sizeLimit else { return nil }
    self.values = values
  }
}

extension FilterVariables: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(UInt64(values.count))
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      writer.append(name)
      writer.append(value)
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    var values: [String: String] = [:]
    var last: String?
    for _ in 0..<(try reader.count(limit: Self.limit)) {
      let name = try reader.text()
      guard last.map({ $0 < name }) ?? true else {
        throw reader.error("the names of filter variables do not ascend")
      }
      values[name] = try reader.text()
      last = name
    }
    guard let variables = Self(values) else {
      throw reader.error("filter variables have more than \(Self.sizeLimit) bytes")
    }
    self = variables
  }
}
