internal import ObjectBoxJSON
internal import ObjectBoxSyncServer

extension SyncServerConfiguration {
  /// The ways in which users prove their identity.
  struct Login {
    var authentication = SyncAuthentication.none
    /// The way in words.
    var text = ""
    /// True if users have an identity and claims.
    var hasUsers = false
  }

  private static let keys = [
    "kind", "secret", "secretFile", "secretVariable", "keys", "issuer", "audience",
  ]

  /// Reads the section `authentication`.
  static func login(_ root: ConfigurationSection) -> Login {
    guard let section = root.section("authentication", keys: keys) else {
      if root.value["authentication"] == nil {
        root.reader.note(
          "there is no 'authentication'; its 'kind' is \"jwt\", \"sharedSecret\", or \"none\" if everybody may connect",
          at: root.value.place
        )
      }
      // Assumed, so that rules are not found wrong too.
      return Login(hasUsers: true)
    }
    switch section.text("kind") {
    case "none":
      return Login(text: "nobody proves who they are; each device may do what the rules say")
    case "sharedSecret": return sharedSecret(section)
    case "jwt": return tokens(section)
    default:
      section.reader.note(
        "'authentication.kind' is \(section.value["kind"]?.kind ?? "missing"), and \"jwt\", \"sharedSecret\" or "
          + "\"none\" is expected",
        at: section.value["kind"]?.place ?? section.value.place
      )
      return Login(hasUsers: true)
    }
  }

  private static func sharedSecret(_ section: ConfigurationSection) -> Login {
    var login = Login(text: "all devices know one secret")
    if let secret = secret("secret", in: section) {
      login.authentication = .sharedSecret(secret)
      if let fault = login.authentication.fault {
        section.reader.note(fault.description, at: section.value.place)
      }
    }
    return login
  }

  private static func tokens(_ section: ConfigurationSection) -> Login {
    var login = Login(hasUsers: true)
    let keys = tokenKeys(section)
    let issuer = section.text("issuer")
    let audience = section.text("audience")
    let signers = keys.count == 1 ? "a key" : "one of \(keys.count) keys"
    login.text = "JSON Web Tokens, signed by \(signers)"
    if let issuer { login.text += ", of the issuer '\(issuer)'" }
    if let audience { login.text += ", for the audience '\(audience)'" }
    let path = section.reader.path
    login.authentication = .jwt(
      SyncTokens(issuer: issuer, audience: audience) { try presentKeys(in: path) }
    )
    return login
  }

  /// Reads the keys of tokens again, with the files that they name.
  ///
  /// - Parameter path: The path of the configuration.
  /// - Returns: The keys.
  /// - Throws: ``LineFault`` for the first fault; ``SystemFault`` when the file cannot be read.
  private static func presentKeys(in path: String) throws -> [SyncTokens.Key] {
    let (reader, root) = try ConfigurationReader.read(path)
    let section = root["authentication"].flatMap {
      ConfigurationSection($0, "authentication", keys: keys, reader)
    }
    let present = section.map(tokenKeys) ?? []
    if let fault = reader.faults.first { throw fault }
    return present
  }

  /// Reads the keys of tokens; notes when there are none.
  private static func tokenKeys(_ section: ConfigurationSection) -> [SyncTokens.Key] {
    guard let elements = section.value["keys"]?.elements, !elements.isEmpty else {
      section.reader.note(
        "'authentication.keys' is \(section.value["keys"]?.kind ?? "missing"), and a list of the keys that sign tokens is "
          + "expected, such as [{\"publicKeyFile\": \"issuer.pem\"}] or [{\"keySetFile\": \"jwks.json\"}]",
        at: section.value["keys"]?.place ?? section.value.place
      )
      return []
    }
    return elements.enumerated().flatMap { index, value in
      tokenKeys(value, "authentication.keys[\(index)]", section.reader)
    }
  }

  private static func tokenKeys(
    _ value: JSONValue,
    _ name: String,
    _ reader: ConfigurationReader
  ) -> [SyncTokens.Key] {
    let keys = [
      "name", "secret", "secretFile", "secretVariable", "publicKeyFile", "publicKeyVariable",
      "keySetFile",
    ]
    guard let section = ConfigurationSection(value, name, keys: keys, reader) else { return [] }
    if let file = section.text("keySetFile"), let place = section.value["keySetFile"]?.place {
      guard let json = reader.content(of: file, section.title("keySetFile"), at: place) else {
        return []
      }
      do { return try SyncTokens.Key.set(json) } catch {
        reader.note("'\(name)': \(error)", at: place)
        return []
      }
    }
    let label = section.text("name")
    let isPublic = ["publicKeyFile", "publicKeyVariable"].contains { section.value[$0] != nil }
    let key: SyncTokens.Key
    if isPublic {
      guard let pem = section.secret("publicKey") else { return [] }
      key = .publicKey(pem: pem, name: label)
    } else {
      guard let secret = secret("secret", in: section) else { return [] }
      key = .secret(secret, name: label)
    }
    // Each key alone, to find the place of a wrong one.
    if let fault = SyncAuthentication.jwt(SyncTokens(keys: [key])).fault {
      reader.note("'\(name)': \(fault.description)", at: value.place)
    }
    return [key]
  }

  /// Returns a secret; notes when it is missing, or stands in the configuration.
  private static func secret(_ key: String, in section: ConfigurationSection) -> String? {
    if let value = section.value[key] {
      section.reader.note(
        "\(section.title(key)) stands in the configuration, which others may read; name a file by '\(key)File' or an "
          + "environment variable by '\(key)Variable'",
        at: value.place
      )
      return nil
    }
    guard section.value[key + "File"] != nil || section.value[key + "Variable"] != nil else {
      section.reader.note(
        "'\(section.name)' has no secret; name a file by '\(key)File' or an environment variable by '\(key)Variable'",
        at: section.value.place
      )
      return nil
    }
    return section.secret(key)
  }
}
