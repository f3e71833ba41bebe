/// The objects of the peer benchmarks, from the peers' mixing function: all process the same names,
/// numbers and notes.
enum DataSet {
  static func mix(_ value: UInt64) -> UInt64 {
    var x = value &+ 0x9E37_79B9_7F4A_7C15
    x = (x ^ (x >> 30)) &* 0xBF58_476D_1CE4_E5B9
    x = (x ^ (x >> 27)) &* 0x94D0_49BB_1331_11EB
    return x ^ (x >> 31)
  }

  /// 16 bytes, different for each number.
  static func name(_ number: UInt64) -> String {
    var rest = UInt64((UInt128(number) * 61_803_398_873 + 27_182_818_281) % 100_000_000_000)
    var bytes = Array("user-00000000000".utf8)
    for place in stride(from: 15, through: 5, by: -1) {
      bytes[place] = UInt8(48 + rest % 10)
      rest /= 10
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// 48 bytes; about 1 % of the notes contain "needle".
  static func note(_ hash: UInt64) -> String {
    var bytes = [UInt8](repeating: 0, count: 48)
    var state = hash
    for place in 0..<48 {
      if place % 8 == 0 { state = mix(state) }
      bytes[place] =
        place % 7 == 6 ? 32 : UInt8(97 + ((state >> UInt64((place % 8) * 8)) & 255) % 26)
    }
    if mix(hash) % 100 == 0 { bytes.replaceSubrange(20..<26, with: Array("needle".utf8)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func object<T: Measured>(_ number: UInt64, as type: T.Type = T.self) -> T {
    let hash = mix(number)
    var object = T()
    object.name = name(number)
    object.age = Int32(hash % 10000)
    object.score = Double(hash >> 11) / 9_007_199_254_740_992 * 100
    object.active = (hash >> 7) & 1 == 1
    object.created = 1_600_000_000_000 + Int64((hash >> 20) % 200_000_000_000)
    object.note = note(hash)
    return object
  }

  static func objects<T: Measured>(_ count: Int, as type: T.Type = T.self) -> [T] {
    (0..<UInt64(count)).map { object($0) }
  }

  static func flat(_ count: Int) -> [Flat] {
    objects(count, as: Plain.self).map {
      Flat(
        id: 0,
        name: $0.name,
        age: $0.age,
        score: $0.score,
        active: $0.active,
        created: $0.created,
        note: $0.note
      )
    }
  }

  /// Returns a hash of all values of all objects except their IDs, in hexadecimal digits.
  static func digest(_ count: Int) -> String {
    var state: UInt64 = 0
    func add(_ value: UInt64) { state = mix(state ^ value) }
    for object in objects(count, as: Plain.self) {
      for byte in object.name.utf8 { add(UInt64(byte)) }
      add(UInt64(bitPattern: Int64(object.age)))
      add(object.score.bitPattern)
      add(object.active ? 1 : 0)
      add(UInt64(bitPattern: object.created))
      for byte in object.note.utf8 { add(UInt64(byte)) }
    }
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Returns the first `taken` numbers of a fixed shuffle of the numbers below `count`.
  static func shuffled(_ count: Int, taken: Int, seed: UInt64 = 7) -> [Int] {
    var numbers = Array(0..<count)
    var state = seed
    for place in stride(from: count - 1, to: 0, by: -1) {
      state = mix(state)
      numbers.swapAt(place, Int(state % UInt64(place + 1)))
    }
    return Array(numbers.prefix(taken))
  }
}
