#if OBJECTBOX_LIBPQ
  internal import CObjectBoxPostgres
  internal import ObjectBoxJSON

  /// A libpq connection string or URI, with the secrets that messages must not show.
  struct ConnectionAddress: Sendable {
    private let secrets: [String]
    /// The name of the database; if the address has none, libpq's setting or the user's name.
    let database: String
    /// The address without passwords and options, such as `postgresql://ada@db1:5432/app`.
    let shown: String

    /// Reads an address without connecting.
    ///
    /// - Parameter address: A connection string or URI.
    /// - Throws: ``ClusterError/invalidAddress(message:)``.
    init(_ address: String) throws {
      var message: UnsafeMutablePointer<CChar>?
      defer { if let message { PQfreemem(message) } }
      guard let options = PQconninfoParse(address, &message) else {
        // libpq quotes parts of the address, and any of them may be the password.
        let reason = message.map { String(cString: $0) } ?? "no memory"
        throw Self.invalid(
          PostgresSession.oneLine(String(reason.prefix { $0 != "\"" }))
            .trimmingSuffix { !$0.isLetter }
        )
      }
      defer { PQconninfoFree(options) }
      var secrets: [String] = []
      var parts: [String: String] = [:]
      var option = options
      while let keyword = option.pointee.keyword {
        if let value = option.pointee.val.map({ String(cString: $0) }), !value.isEmpty {
          parts[String(cString: keyword)] = value
          switch String(cString: keyword) {
          case "password", "sslpassword": secrets.append(value)
          // Part of a password with an unescaped '@' or ':'.
          case "host" where value.utf8.contains(UInt8(ascii: "@")),
            "port" where value.utf8.contains(UInt8(ascii: "@")):
            throw Self.invalid("a password with '@' must have it as '%40'")
          default: break
          }
        }
        option += 1
      }
      self.secrets = secrets
      let user = parts["user"]
      database = parts["dbname"] ?? user ?? "postgres"
      shown = Self.shown(parts, database)
    }

    private static func shown(_ parts: [String: String], _ database: String) -> String {
      let ports = (parts["port"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
      let hosts = (parts["host"] ?? parts["hostaddr"] ?? "").split(separator: ",")
        .enumerated()
        .map { index, host in
          let port = ports.count == 1 ? ports[0] : ports.indices.contains(index) ? ports[index] : ""
          return port.isEmpty ? "\(host)" : "\(host):\(port)"
        }
      let user = parts["user"].map { "\($0)@" } ?? ""
      // Socket directories.
      if hosts.first?.hasPrefix("/") ?? false {
        return "postgresql://\(user)/\(database)?host=\(hosts.joined(separator: ","))"
      }
      return "postgresql://\(user)\(hosts.joined(separator: ","))/\(database)"
    }

    private static func invalid(_ reason: String) -> ClusterError {
      .invalidAddress(
        message:
          "cannot read the address of the cluster: \(reason); write it as "
          + "'postgresql://user:password@host:5432/database', with special characters as '%' and their code, "
          + "or as 'host=… dbname=…'"
      )
    }

    /// Returns a message without passwords of the address.
    func scrubbed(_ message: String) -> String {
      secrets.reduce(message) { $0.replacingBytes(of: $1, with: "…") }
    }
  }

  extension String {
    fileprivate func trimmingSuffix(while isDropped: (Character) -> Bool) -> String {
      var text = self[...]
      while let last = text.last, isDropped(last) { text.removeLast() }
      return String(text)
    }
  }
#endif
