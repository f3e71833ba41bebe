import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

struct OrderedKeyTests {
  private func key(_ write: (inout OrderedKey) -> Void) -> [UInt8] {
    withUnsafeTemporaryAllocation(byteCount: OrderedKey.capacity, alignment: 8) { room in
      guard let base = room.baseAddress else { return [] }
      var key = OrderedKey(storage: base)
      write(&key)
      return Array(key.bytes)
    }
  }

  private func isAscending(_ keys: [[UInt8]]) -> Bool {
    zip(keys, keys.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }
  }

  @Test func `keys of signed numbers sort as the numbers do`() {
    let numbers: [Int64] = [.min, .min + 1, -1000, -1, 0, 1, 255, 256, 1 << 40, .max - 1, .max]
    #expect(isAscending(numbers.map { number in key { $0.set(signed: number) } }))
    let small: [Int8] = [.min, -1, 0, 1, .max]
    #expect(isAscending(small.map { number in key { $0.set(signed: number) } }))
  }

  @Test func `keys of unsigned numbers sort as the numbers do`() {
    let numbers: [UInt32] = [0, 1, 255, 256, 1 << 31, .max]
    #expect(isAscending(numbers.map { number in key { $0.set(unsigned: number) } }))
  }

  @Test func `keys of floating point numbers sort as the numbers do, with NaN above infinity`() {
    let numbers: [Double] = [
      -.infinity, -1e300, -1, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, 1, 1e300,
      .infinity, .nan,
    ]
    #expect(isAscending(numbers.map { number in key { $0.set(number) } }))
    #expect(
      isAscending(
        numbers.map { number in
          key {
            $0.set(
              Float(
                number == -1e300
                  ? -2
                  : number == 1e300
                    ? 2
                    : number == .leastNonzeroMagnitude
                      ? 0.1 : number == -.leastNonzeroMagnitude ? -0.1 : number
              )
            )
          }
        }
      )
    )
  }

  @Test func `minus zero has the key of zero, and every NaN the same key`() {
    #expect(key { $0.set(-0.0) } == key { $0.set(0.0) })
    #expect(key { $0.set(Double.nan) } == key { $0.set(-Double.signalingNaN) })
  }

  @Test func `null is below every value and no key is empty`() {
    let null = key { $0.setNull() }
    #expect(null == [0])
    let empty = key { key in [UInt8]().withUnsafeBytes { key.set(prefixOf: $0) } }
    #expect(isAscending([null, empty]))
    #expect(isAscending([null, key { $0.set(signed: Int64.min) }]))
  }

  @Test func `long texts are cut`() {
    let long = [UInt8](repeating: 65, count: 1000)
    let key = key { key in long.withUnsafeBytes { key.set(prefixOf: $0) } }
    #expect(key.count == OrderedKey.capacity)
  }
}
