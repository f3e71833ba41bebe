import ObjectBoxSyncProtocol
import Testing

struct WireFramesTests {
  @Test(arguments: [0, 1, 3, 4, 5, 8, 9, 100], [2, 5])
  func `frames give the message again`(size: Int, limit: Int) throws {
    let message = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    let frames = WireFrames.split(message, limit: limit)
    #expect(frames.allSatisfy { $0.count <= limit })
    var collector = WireCollector(limit: 100)
    // The collector is used again after a message.
    for _ in 0..<2 {
      for frame in frames.dropLast() { #expect(try collector.add(frame) == nil) }
      #expect(try collector.add(frames[frames.count - 1]) == message)
    }
  }

  @Test func `a message over the limit is refused, whatever its frames are`() throws {
    var collector = WireCollector(limit: 4)
    #expect(throws: WireError.self) { try collector.add([0, 1, 2, 3, 4, 5]) }
    #expect(try collector.add([1, 1, 2, 3]) == nil)
    let error = #expect(throws: WireError.self) { try collector.add([1, 1, 2]) }
    #expect(error?.description.contains("over 4 bytes, which is the limit") == true)
  }

  @Test(arguments: [[], [2], [255, 0]] as [[UInt8]])
  func `bytes that are no frame are refused`(bytes: [UInt8]) {
    var collector = WireCollector(limit: 10)
    #expect(throws: WireError.self) { try collector.add(bytes) }
  }
}
