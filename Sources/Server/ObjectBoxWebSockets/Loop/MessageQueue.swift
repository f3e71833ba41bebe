/// A queue of messages that knows its size.
struct MessageQueue {
  /// The bytes that count for each message in addition to its content, so that empty messages are limited too.
  static let overhead = 64

  private var messages: [[UInt8]] = []
  private var head = 0
  private(set) var bytes = 0

  var isEmpty: Bool { head == messages.count }

  mutating func append(_ message: [UInt8]) {
    messages.append(message)
    bytes += message.count + Self.overhead
  }

  mutating func popFirst() -> [UInt8]? {
    guard head < messages.count else { return nil }
    let message = messages[head]
    messages[head] = []
    head += 1
    bytes -= message.count + Self.overhead
    if head == messages.count {
      messages.removeAll(keepingCapacity: head <= 64)
      head = 0
    } else if head >= 64, head * 2 >= messages.count {
      messages.removeFirst(head)
      head = 0
    }
    return message
  }

  mutating func removeAll() { self = MessageQueue() }
}
