import Foundation

/// An authority that `openssl` makes in a temporary folder, and the certificates that it issues.
package final class Authority: Sendable {
  /// The folder of all files.
  package let directory: TemporaryDirectory
  /// The certificate of the authority, in PEM.
  package var path: String { directory.path + "/authority.pem" }

  /// Makes an authority.
  package init() throws {
    directory = try TemporaryDirectory()
    try openssl(
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=Test -keyout authority.key "
        + "-out authority.pem"
    )
  }

  /// Issues a certificate.
  ///
  /// - Parameters:
  ///   - name: The name of the server, such as `DNS:localhost`.
  ///   - validity: Options of `openssl ca` that limit its time.
  /// - Returns: The files of the certificate and of its key, in PEM.
  /// - Throws: What `openssl` tells.
  package func files(
    for name: String,
    validity: String = "-days 30"
  ) throws -> (certificate: String, key: String) {
    let file = UUID().uuidString
    try directory.write("subjectAltName=\(name)\n", to: file + ".txt")
    try openssl(
      "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=server -keyout \(file).key -out \(file).request"
    )
    try directory.write("", to: "index.txt")
    try directory.write("01", to: "serial")
    try directory.write(
      """
      [ca]
      default_ca = test
      [test]
      database = index.txt
      serial = serial
      new_certs_dir = .
      default_md = sha256
      policy = policy
      unique_subject = no
      [policy]
      commonName = supplied
      """,
      to: "configuration"
    )
    try openssl(
      "ca -batch -config configuration -cert authority.pem -keyfile authority.key "
        + "-in \(file).request -out \(file).pem -extfile \(file).txt -notext \(validity)"
    )
    return (directory.path + "/\(file).pem", directory.path + "/\(file).key")
  }

  /// Runs `openssl` in the folder.
  package func openssl(_ arguments: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments.split(separator: " ").map(String.init)
    process.currentDirectoryURL = directory.url
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw RawSocketError(reason: text) }
  }
}
