import Testing

@testable import ObjectBoxCluster

struct CommitSubscribersTests {
  private func subscriber() -> CommitSubscribers.Subscriber {
    AsyncStream<ClusterCommit>.makeStream().continuation
  }

  @Test func `a reader that was told to end does not go on when another subscriber comes`() throws {
    var subscribers = CommitSubscribers()
    let first = subscribers.add(subscriber())
    let begun = subscribers.beginReading()
    let ended = try #require(begun)
    var answers = [subscribers.goesOn(ended)]
    subscribers.remove(first)
    answers.append(subscribers.goesOn(ended))
    _ = subscribers.add(subscriber())
    let second = subscribers.beginReading()
    let next = try #require(second)
    answers += [subscribers.goesOn(ended), subscribers.goesOn(next), subscribers.goesOn(ended)]
    #expect(answers == [true, false, false, true, false])
  }

  @Test func `closing ends the wait for the first reading`() async {
    var subscribers = CommitSubscribers()
    await #expect(throws: CancellationError.self) {
      try await withCheckedThrowingContinuation { caller in
        _ = subscribers.wait(caller)
        for waiting in subscribers.close() { waiting.resume(throwing: CancellationError()) }
      }
    }
  }

  @Test func `one reader serves all subscribers`() throws {
    var subscribers = CommitSubscribers()
    let first = subscribers.add(subscriber())
    let begun = subscribers.beginReading()
    let reader = try #require(begun)
    _ = subscribers.add(subscriber())
    let other = subscribers.beginReading()
    #expect(other == nil)
    subscribers.remove(first)
    // A subscriber arrived before the reader noticed that there was none.
    let goesOn = subscribers.goesOn(reader)
    #expect(goesOn)
    #expect(subscribers.all.count == 1)
    let waiting = subscribers.close()
    #expect(waiting.isEmpty)
    let goesOnClosed = subscribers.goesOn(reader)
    #expect(!goesOnClosed)
  }
}
