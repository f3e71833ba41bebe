import Foundation
import ObjectBox
import Testing

struct ConcurrentWorkTests {
  @Test(arguments: [0, 1, 2, 1000])
  func `each iteration runs once`(_ count: Int) {
    let seen = Guarded<[Int]>([])
    ConcurrentWork.perform(iterations: count) { number in
      ConcurrentWork.perform(iterations: 2) { _ in }
      seen.withLock { $0.append(number) }
    }
    #expect(seen.withLock { $0.sorted() } == Array(0..<count))
  }

  /// A double free ends the process, at once or soon after.
  @Test func `a thread that the program has made ends whole after it has taken part`() throws {
    var key = pthread_key_t()
    #expect(pthread_key_create(&key) { _ in DispatchQueue.global().async {} } == 0)
    defer { pthread_key_delete(key) }
    let value = key
    for _ in 0..<200 {
      let (done, sum) = (DispatchSemaphore(value: 0), Guarded(0))
      let thread = Thread {
        pthread_setspecific(value, UnsafeRawPointer(bitPattern: 1))
        ConcurrentWork.perform(iterations: 16) { number in sum.withLock { $0 += number } }
        done.signal()
      }
      thread.start()
      done.wait()
      #expect(sum.withLock { $0 } == 120)
    }
  }

  @Test func `work ends where Dispatch has no thread to spare`() {
    let (barrier, ended) = (DispatchSemaphore(value: 0), DispatchGroup())
    for _ in 0..<1000 { DispatchQueue.global().async(group: ended) { barrier.wait() } }
    let count = Guarded(0)
    ConcurrentWork.perform(iterations: 100) { _ in count.withLock { $0 += 1 } }
    for _ in 0..<1000 { barrier.signal() }
    ended.wait()
    #expect(count.withLock { $0 } == 100)
  }
}
