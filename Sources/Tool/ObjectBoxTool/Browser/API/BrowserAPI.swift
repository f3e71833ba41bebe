internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxJSON

/// Answers requests for the data of a store or a database with JSON.
///
/// IDs are texts, since numbers in JavaScript have 53 bits.
struct BrowserAPI: Sendable {
  let content: any BrowserContent
  let isWritable: Bool

  typealias Members = [(key: String, write: (inout JSONWriter) -> Void)]

  /// A request that cannot be answered, with the place in its input if known.
  struct Fault: Error {
    var status: Int
    var text: String
    /// The condition's characters at fault, counted in UTF-16 as in JavaScript.
    var range: Range<Int>?
    /// The property at fault.
    var property: String?

    init(_ status: Int, _ text: String, range: Range<Int>? = nil, property: String? = nil) {
      self.status = status
      self.text = text
      self.range = range
      self.property = property
    }
  }

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - request: The request, accepted by the guard.
  ///   - name: The part of the path after `api/`.
  /// - Returns: JSON, also for a fault.
  func answer(_ request: HTTPRequest, _ name: String) -> HTTPResponse {
    do throws(Fault) {
      let parameters = Parameters(request.parameters, content)
      switch (request.method, name) {
      case ("GET", "schema"): return try json { try overview() }
      case ("GET", "objects"): return try json { try objects(parameters) }
      case ("GET", "count"): return try json { try count(parameters) }
      case ("GET", "object"): return try json { try object(parameters) }
      case ("GET", "blank"): return try json { try blank(parameters) }
      case ("GET", "labels"): return try json { try labels(parameters) }
      case ("GET", "removal"): return try json { try removal(parameters) }
      case ("GET", "groups"): return try json { try groups(parameters) }
      case ("GET", "neighbours"): return try json { try neighbours(parameters) }
      case ("GET", "sync"): return try json { try sync() }
      case ("GET", "bytes"): return try translating { try bytes(parameters) }
      case ("GET", "statistics"):
        let report = try translating { try content.statistics() }
        return HTTPResponse(200, Self.type, Array(report.utf8))
      case ("POST", "put"), ("POST", "remove"), ("POST", "relate"):
        let edit = try edit(request)
        return try json {
          switch name {
          case "put": try put(edit)
          case "remove": try remove(edit)
          default: try relate(edit)
          }
        }
      case (_, "put"), (_, "remove"), (_, "relate"): return BrowserSite.notAllowed("POST")
      case ("GET", _): throw Fault(404, "there is no such data")
      default: return BrowserSite.notAllowed("GET")
      }
    } catch {
      return Self.response(error)
    }
  }

  private static let type = "application/json; charset=utf-8"

  private func json(_ members: () throws -> Members) throws(Fault) -> HTTPResponse {
    var writer = JSONWriter()
    writer.object(try translating(members))
    return HTTPResponse(200, Self.type, writer.bytes)
  }

  private static func response(_ fault: Fault) -> HTTPResponse {
    var writer = JSONWriter()
    var members: Members = [("fault", { $0.string(fault.text) })]
    if let range = fault.range {
      members.append(("start", { $0.integer(range.lowerBound) }))
      members.append(("end", { $0.integer(range.upperBound) }))
    }
    if let property = fault.property { members.append(("property", { $0.string(property) })) }
    writer.object(members)
    return HTTPResponse(fault.status, type, writer.bytes)
  }

  private func translating<T>(_ body: () throws -> T) throws(Fault) -> T {
    do {
      return try body()
    } catch let fault as Fault {
      throw fault
    } catch let fault as ConditionFault {
      throw Fault(422, fault.text, range: fault.offsets)
    } catch let error as ObjectBoxError {
      throw Fault(Self.status(of: error), error.message)
    } catch let error as ClusterError {
      throw Fault(Self.status(of: error), error.message)
    } catch {
      throw Fault(500, "\(error)")
    }
  }

  private static func status(of error: ObjectBoxError) -> Int {
    switch error {
    case .notFound: 404
    case .uniqueViolation, .constraintViolated: 409
    case .illegalArgument, .propertyTypeMismatch: 422
    case .readOnly: 403
    default: 500
    }
  }

  private static func status(of error: ClusterError) -> Int {
    switch error {
    case .conflict, .schemaConflict: 409
    case .notPermitted, .serverReadOnly: 403
    case .statementTimeout: 504
    case .cannotConnect, .unknownHost, .connectionRefused, .tooManyConnections, .noConnection,
      .connectionLost, .authenticationFailed, .databaseMissing, .closed:
      503
    default: 500
    }
  }
}

/// The parameters of a request, resolved by the schema.
struct Parameters {
  private let values: [String: String]
  private let content: any BrowserContent

  init(_ values: [String: String], _ content: any BrowserContent) {
    self.values = values
    self.content = content
  }

  func text(_ name: String) -> String? { values[name] }

  var entity: EntitySchema {
    get throws(BrowserAPI.Fault) { try Self.entity(values["entity"] ?? "", in: content) }
  }

  /// The ID of an object.
  var id: UInt64 {
    get throws(BrowserAPI.Fault) { try Self.id(values["id"] ?? "") }
  }

  /// The IDs of objects, separated by commas.
  var ids: [UInt64] {
    get throws(BrowserAPI.Fault) {
      try (values["ids"] ?? "").split(separator: ",").map { text throws(BrowserAPI.Fault) in
        try Self.id(String(text))
      }
    }
  }

  /// A number between 1 and a limit.
  func number(_ name: String, upTo greatest: Int, otherwise usual: Int) -> Int {
    values[name].flatMap { Int($0) }.map { min(max($0, 1), greatest) } ?? usual
  }

  /// The property that the parameter `property` names.
  func property(of entity: EntitySchema) throws(BrowserAPI.Fault) -> PropertySchema {
    let name = values["property"] ?? ""
    guard let property = entity.properties.first(where: { $0.name == name }) else {
      throw BrowserAPI.Fault(404, "'\(entity.name)' has no property '\(name)'")
    }
    return property
  }

  static func entity(
    _ name: String,
    in content: any BrowserContent
  ) throws(BrowserAPI.Fault) -> EntitySchema {
    let schema = content.schema
    guard let index = schema.index(ofEntity: name) else {
      let place = content.label.isDatabase ? "database" : "store"
      throw BrowserAPI.Fault(404, "the \(place) has no entity '\(name)'")
    }
    return schema.entities[index]
  }

  static func id(_ text: String) throws(BrowserAPI.Fault) -> UInt64 {
    guard let id = UInt64(text), id > 0, id < .max else {
      throw BrowserAPI.Fault(422, "'\(text)' is no ID of an object")
    }
    return id
  }
}

extension ConditionFault {
  /// The range, counted in UTF-16.
  fileprivate var offsets: Range<Int> {
    let start = source.utf16.distance(from: source.startIndex, to: range.lowerBound)
    return start..<source.utf16.distance(from: source.startIndex, to: range.upperBound)
  }
}

extension JSONWriter {
  mutating func boolean(_ value: Bool) { raw(value ? "true" : "false") }

  /// Appends an ID as text.
  mutating func id(_ id: UInt64) { string("\(id)") }

  /// Appends a text, or null.
  mutating func string(orNull text: String?) {
    if let text { string(text) } else { raw("null") }
  }
}
