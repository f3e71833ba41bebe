import Foundation
import ObjectBoxTestSupport

/// The answer of a WebSocket server, made without the library under test.
enum Handshake {
  /// Returns the answer to a request.
  static func answer(to request: [UInt8]) throws -> String {
    let lines = String(decoding: request, as: UTF8.self).components(separatedBy: "\r\n")
    let name = "sec-websocket-key:"
    guard let line = lines.first(where: { $0.lowercased().hasPrefix(name) }) else {
      throw RawSocketError(reason: "the request has no key")
    }
    let key = line.dropFirst(name.count).drop { $0 == " " }
    let digest = sha1(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
    let accept = Data(digest).base64EncodedString()
    return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Accept: \(accept)\r\n\r\n"
  }

  private static func sha1(_ message: [UInt8]) -> [UInt8] {
    var padded = message + [0x80]
    while padded.count % 64 != 56 { padded.append(0) }
    padded += withUnsafeBytes(of: UInt64(message.count * 8).bigEndian) { Array($0) }
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 { word << bits | word >> (32 - bits) }
    for start in stride(from: 0, to: padded.count, by: 64) {
      var words = stride(from: start, to: start + 64, by: 4).map { (place: Int) -> UInt32 in
        padded[place..<place + 4].reduce(0) { (word: UInt32, byte: UInt8) in
          word << 8 | UInt32(byte)
        }
      }
      for index in 16..<80 {
        let mixed = [3, 8, 14, 16].reduce(0) { (word: UInt32, distance: Int) in
          word ^ words[index - distance]
        }
        words.append(rotate(mixed, 1))
      }
      var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
      for (index, word) in words.enumerated() {
        let (mix, constant): (UInt32, UInt32) =
          switch index / 20 {
          case 0: ((b & c) | (~b & d), 0x5A82_7999)
          case 1: (b ^ c ^ d, 0x6ED9_EBA1)
          case 2: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
          default: (b ^ c ^ d, 0xCA62_C1D6)
          }
        let next: UInt32 = rotate(a, 5) &+ mix &+ e &+ constant &+ word
        (e, d, c, b, a) = (d, c, rotate(b, 30), a, next)
      }
      state = zip(state, [a, b, c, d, e]).map { $0 &+ $1 }
    }
    return state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
  }
}
