import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxSyncServer

/// The server of the trial, which must outlive what is sent to it.
enum Server {
  /// The users; `h` is honest, the others send what no device sends.
  static let users = ["h", "1", "2", "3"]
  static let wardCount = 40
  /// The transaction that the script gives to all pairs of the beginning: attackers know it, since a removal of a
  /// pair names it.
  static let pairDot: UInt64 = 0xD07A

  static func cluster(_ address: String) async throws -> Cluster {
    try await Cluster(configuration: Cluster.Configuration(address))
  }

  /// Makes the tables, and objects of all users.
  static func prepare(_ address: String) async throws {
    let cluster = try await cluster(address)
    let pens = users.map { user in
      let pen = Pen()
      pen.owner = user
      return pen
    }
    try await cluster.box(for: Pen.self).put(pens)
    let wards = (0..<wardCount).map { number in
      let ward = Ward()
      ward.owner = users[number % users.count]
      ward.code = "code \(number)"
      // The pen of a user has wards of all users.
      ward.pen.target = pens[number / users.count % users.count]
      return ward
    }
    try await cluster.box(for: Ward.self).put(wards)
    // Of the same user and of others.
    for (index, ward) in wards.enumerated() {
      ward.friends.append(contentsOf: [4, 5, 7].map { wards[(index + $0) % wardCount] })
    }
    try await cluster.box(for: Ward.self).put(wards)
    await cluster.close()
  }

  /// Serves devices until it is killed; a device's user is the name that it gives.
  static func serve(_ address: String, port: Int) async throws {
    let server = SyncServer(
      cluster: try await cluster(address),
      listen: .init(port: port),
      authenticate: .password { name, _ in users.contains(name) ? SyncUser(id: name) : nil }
    ) {
      rule(Ward.self) { user in Ward.owner == user.id }
      write(Ward.self) { user in Ward.owner == user.id && Ward.stock <= 10 }
      rule(Pen.self) { user in Pen.owner == user.id }
      write(Pen.self) { user in Pen.owner == user.id }
    }
    let running = try await server.start()
    FileHandle.standardOutput.write(Data("port \(running.port)\n".utf8))
    while true { try await Task.sleep(for: .seconds(3_600)) }
  }
}
