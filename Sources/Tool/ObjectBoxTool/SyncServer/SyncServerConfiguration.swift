internal import Foundation
internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxDynamic
internal import ObjectBoxJSON
internal import ObjectBoxSyncServer

/// The configuration of `objectbox sync-server`.
struct SyncServerConfiguration: Sendable {
  /// The faults of a configuration file.
  struct Faults: Error {
    let list: [LineFault]
  }

  private(set) var cluster: Cluster.Configuration
  private(set) var model: URL
  private(set) var address: SyncServer.Address
  private(set) var authentication: SyncAuthentication
  private(set) var limits: SyncServer.Limits
  /// The rules of the entities, in the order of the file.
  private(set) var rules: [ConfiguredRules]

  private let database: String
  private let users: String
  /// The names of synchronized entities without a rule.
  private let unruled: [String]

  /// Reads a configuration file with the files that it names.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: ``Faults`` with everything that was found; ``SystemFault`` when the file cannot be
  ///   read.
  init(_ path: String) throws {
    let reader: ConfigurationReader
    let root: JSONValue
    do { (reader, root) = try ConfigurationReader.read(path) } catch let fault as LineFault {
      throw Faults(list: [fault])
    }
    let keys = ["cluster", "model", "listen", "authentication", "limits", "rules"]
    guard let section = ConfigurationSection(root, "", keys: keys, reader) else {
      throw Faults(list: reader.faults)
    }
    (cluster, database) = Self.cluster(section)
    address = Self.address(section)
    let login = Self.login(section)
    (authentication, users) = (login.authentication, login.text)
    limits = Self.limits(section)
    model = reader.location(of: section.text("model") ?? "model.json").absoluteURL
    let schema: StoreSchema
    do {
      schema = try StoreSchema(modelFile: model)
    } catch let error as ObjectBoxError {
      // The message begins with the place in the model, or names the file.
      reader.note(error.message, at: section.value["model"]?.place ?? root.place)
      throw Faults(list: reader.faults)
    }
    rules = Self.rules(section, schema, hasUsers: login.hasUsers)
    let ruled = Set(rules.map(\.entity))
    unruled = schema.entities.filter { $0.isSynchronized && !ruled.contains($0.name) }.map(\.name)
    if !reader.faults.isEmpty { throw Faults(list: reader.faults) }
  }

  /// The configuration in words, on several lines.
  ///
  /// - Parameter port: The port that the server listens on; nil for the configured port.
  /// - Returns: The lines.
  func text(port: Int? = nil) -> String {
    let host = address.host.contains(":") ? "[\(address.host)]" : address.host
    let scheme = address.certificate == nil ? "ws" : "wss"
    let lines =
      [
        "devices: \(scheme)://\(host):\(port ?? address.port)",
        "database: \(database), schema '\(cluster.schema)'", "users: \(users)",
      ] + rules.map(\.text) + unruled.map { "'\($0)': no rules, so nobody sees or writes it" }
    return lines.map { $0.printable + "\n" }.joined()
  }

  /// True if others on the network can read the traffic.
  var isReadableByOthers: Bool {
    let isLocal = address.host == "::1" || address.host.hasPrefix("127.")
    return address.certificate == nil && !isLocal
  }

  // MARK: Sections

  private static let environment = "that of libpq's environment, such as PGHOST and PGDATABASE"

  private static func cluster(_ root: ConfigurationSection) -> (Cluster.Configuration, String) {
    let keys = ["url", "urlFile", "urlVariable", "schema"]
    guard let section = root.section("cluster", keys: keys) else {
      return (Cluster.Configuration(""), environment)
    }
    let written = section.text("url")
    let address = written ?? section.secret("url") ?? ""
    var configuration = Cluster.Configuration(address)
    if let schema = section.text("schema") { configuration.schema = schema }
    if written != nil, let other = section.value["urlFile"] ?? section.value["urlVariable"] {
      section.reader.note("'cluster' names several addresses; keep one", at: other.place)
    }
    do {
      let shown = try configuration.shownAddress()
      return (configuration, address.isEmpty ? environment : shown)
    } catch {
      let place = keys.lazy.compactMap { section.value[$0]?.place }.first ?? section.value.place
      section.reader.note((error as? ClusterError)?.message ?? "\(error)", at: place)
      return (configuration, "")
    }
  }

  private static func address(_ root: ConfigurationSection) -> SyncServer.Address {
    var address = SyncServer.Address(port: 9999)
    guard let section = root.section("listen", keys: ["host", "port", "certificate", "key"]) else {
      return address
    }
    if let host = section.text("host"), let value = section.value["host"] {
      address.host = host
      if !PageAddress.isNumeric(host) {
        section.reader.note(
          "'listen.host' is '\(host)', and a numeric address is expected: 127.0.0.1 for devices on this machine, "
            + "0.0.0.0 or :: for all",
          at: value.place
        )
      }
    }
    if let port = section.number("port", 0...65_535) { address.port = port }
    address.certificate = section.path("certificate")
    address.key = section.path("key")
    for (key, other) in [("certificate", "key"), ("key", "certificate")]
    where section.value[key] != nil && section.value[other] == nil {
      section.reader.note(
        "'listen' has '\(key)' without '\(other)'; TLS needs both",
        at: section.value.place
      )
    }
    return address
  }

  private static func limits(_ root: ConfigurationSection) -> SyncServer.Limits {
    var limits = SyncServer.Limits()
    let keys = ["connections", "connectionsByUser", "messageSize", "scopes"]
    guard let section = root.section("limits", keys: keys) else { return limits }
    if let number = section.number("connections", 1...(.max)) { limits.connections = number }
    if let number = section.number("connectionsByUser", 1...(.max)) {
      limits.connectionsByUser = number
    }
    if let number = section.number("messageSize", 65_536...(.max)) { limits.messageSize = number }
    if let number = section.number("scopes", 1...20_000) { limits.scopes = number }
    return limits
  }

  private static func rules(
    _ root: ConfigurationSection,
    _ model: StoreSchema,
    hasUsers: Bool
  ) -> [ConfiguredRules] {
    guard let section = root.section("rules", keys: nil),
      case .object(let members) = section.value.content
    else {
      if root.value["rules"] == nil {
        root.reader.note(
          "there are no 'rules', so devices would get nothing; add the rules of an entity, such as "
            + "{\"Item\": {\"see\": \"all\"}}",
          at: root.value.place
        )
      }
      return []
    }
    return members.compactMap { name, value in
      guard let entity = model.entities.first(where: { $0.name == name }), entity.isSynchronized
      else {
        let names = model.entities.filter(\.isSynchronized).map { "'\($0.name)'" }
        section.reader.note(
          "the model does not synchronize an entity '\(name)'; it synchronizes "
            + (names.isEmpty
              ? "none: annotate it with 'objectbox: sync'" : names.joined(separator: ", ")),
          at: value.keyPlace ?? value.place
        )
        return nil
      }
      return ConfigurationSection(value, "rules.\(name)", keys: ["see", "write"], section.reader)
        .map { ConfiguredRules($0, entity, of: model, hasUsers: hasUsers) }
    }
  }
}

extension EntitySchema {
  /// True if the model synchronizes the entity.
  var isSynchronized: Bool { flags & EntityFlags.syncEnabled.rawValue != 0 }
}
