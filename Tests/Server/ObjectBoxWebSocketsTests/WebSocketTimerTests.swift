import Testing

@testable import ObjectBoxWebSockets

struct WebSocketTimerTests {
  @Test func `timers of connections that begin one after the other fire together`() {
    let limits = WebSocketLimits()
    var times: Set<Int64> = []
    for start in stride(from: Int64(7_000_000), to: 8_000_000, by: 997) {
      let delay = limits.commonDelay(30_000_000, at: start)
      #expect((30_000_000...30_250_000).contains(delay))
      times.insert(start + delay)
    }
    #expect(times.count <= 5)
  }

  @Test func `a timer is late by at most an eighth of the shortest limit`() {
    var limits = WebSocketLimits()
    limits.pingInterval = .milliseconds(80)
    for start in stride(from: Int64(1_000), to: 200_000, by: 777) {
      #expect((80_000..<90_000).contains(limits.commonDelay(80_000, at: start)))
    }
    limits.closeTime = .zero
    #expect(limits.commonDelay(-5, at: 123) == 1)
  }
}
