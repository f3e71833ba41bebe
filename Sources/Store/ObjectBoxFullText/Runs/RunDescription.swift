/// A run as the state of its index lists it.
struct RunDescription: Hashable {
  var number: UInt32
  /// Runs of the same level are merged.
  var level = 0
  /// Number of documents, including dead ones.
  var documentCount = 0
  /// Number of dead documents.
  var deadCount = 0
  /// The ordinals of dead documents with live bits that are still set, without repetition.
  ///
  /// The state of the index holds them; each commit writes the state anyway. So a removal alone changes no page of live
  /// bits.
  var pendingDead: [UInt32] = []
  /// The least and the greatest ID; zero without documents.
  var minimumID: UInt64 = 0
  var maximumID: UInt64 = 0
  /// Whether one value holds IDs and lengths.
  var isSmall = true
  var postingsSize: UInt64 = 0
  var positionsSize: UInt64 = 0
  /// Bytes that were written for the run.
  var byteCount = 0
  /// The mean length of all objects when the run was begun; its bounds assume this length.
  var meanLength: Double = 1

  /// Whether the run is in the table of the state: one of ``RecentRun/numbers``.
  var isYoung: Bool { RecentRun.isNumber(number) }

  /// The greatest number of documents of a small run.
  static let smallLimit = 400

  /// Number of runs of a level that are merged.
  static let fanout = 8

  /// Returns the level of a run by its size: 0 below 8 KB, 1 below 64 KB, and so on.
  static func level(ofByteCount count: Int) -> Int {
    var level = 0
    var rest = count / 1024
    while rest >= fanout {
      rest /= fanout
      level += 1
    }
    return level
  }

  init(number: UInt32) { self.number = number }

  func write(to bytes: inout VarintWriter) {
    bytes.add(number)
    bytes.add(level)
    bytes.add(documentCount)
    bytes.add(deadCount)
    bytes.add(minimumID)
    bytes.add(maximumID &- minimumID)
    bytes.add(isSmall)
    bytes.add(postingsSize)
    bytes.add(positionsSize)
    bytes.add(byteCount)
    bytes.add(meanLength)
  }

  /// Writes the dead documents with live bits that are still set, if any.
  func writePending(to bytes: inout VarintWriter) {
    if pendingDead.isEmpty { return }
    bytes.add(number)
    bytes.add(pendingDead.count)
    for ordinal in pendingDead { bytes.add(ordinal) }
  }

  init(from bytes: inout VarintReader) {
    number = bytes.number32()
    level = bytes.integer()
    documentCount = Int(bytes.number32())
    deadCount = Int(bytes.number32())
    minimumID = bytes.number()
    maximumID = minimumID &+ bytes.number()
    isSmall = bytes.flag()
    postingsSize = bytes.number()
    positionsSize = bytes.number()
    byteCount = Int(truncatingIfNeeded: bytes.number() & 0xffff_ffff_ffff)
    meanLength = bytes.real()
  }

  /// Whether a live document of the run can have an ID.
  func mayHave(_ id: UInt64) -> Bool {
    documentCount > deadCount && minimumID <= id && id <= maximumID
  }

  /// Whether the numbers are consistent.
  var isPlausible: Bool {
    deadCount <= documentCount && pendingDead.count <= deadCount
      && pendingDead.allSatisfy { $0 < documentCount }
      && minimumID <= maximumID && (0..<64).contains(level)
      && meanLength > 0 && meanLength.isFinite && documentCount < UInt32.max
      && (!isSmall || documentCount <= Self.smallLimit)
      && (!isYoung || isSmall && postingsSize == 0 && positionsSize == 0)
  }
}
