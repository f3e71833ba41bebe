/// A merge of runs, done in steps.
///
/// The first steps write the documents of the output, the others its terms.
struct MergeDescription: Hashable {
  /// The run that is written.
  var output: RunDescription
  var inputs: [Input]
  /// The run that holds the maps from ordinals of inputs to ordinals of the output; 0 if each input
  /// has a base.
  var maps: UInt32
  /// Whether the documents of the output are complete, and its terms follow.
  var hasDocuments = false
  /// The last term of the output.
  var term: [UInt8] = []
  /// The number of segments of the term; 0 if the term is complete.
  var segment: UInt32 = 0
  /// Bytes that the merge may write, earned by other writes.
  var credit = 0

  struct Input: Hashable {
    var number: UInt32
    /// Number of documents that the output has or leaves out.
    var passedCount: UInt32 = 0
    /// The output's ordinal of the input's first document, without maps.
    var base: UInt32 = 0
    /// The first ordinal with postings of the term that are missing in the output.
    var ordinal: UInt32 = 0
  }

  init(output: RunDescription, inputs: [Input], maps: UInt32) {
    self.output = output
    self.inputs = inputs
    self.maps = maps
  }

  func write(to bytes: inout VarintWriter) {
    output.write(to: &bytes)
    bytes.add(inputs.count)
    for input in inputs {
      bytes.add(input.number)
      bytes.add(input.passedCount)
      bytes.add(input.base)
      bytes.add(input.ordinal)
    }
    bytes.add(maps)
    bytes.add(hasDocuments)
    bytes.add(term)
    bytes.add(segment)
    bytes.add(credit)
  }

  init(from bytes: inout VarintReader) {
    output = RunDescription(from: &bytes)
    inputs = bytes.list {
      Input(
        number: $0.number32(),
        passedCount: $0.number32(),
        base: $0.number32(),
        ordinal: $0.number32()
      )
    }
    maps = bytes.number32()
    hasDocuments = bytes.flag()
    term = bytes.data()
    segment = bytes.number32()
    credit = bytes.integer()
  }

  /// More than a store has bytes, but too little for sums of credits to overflow.
  private static let maximumCredit: UInt = 1 << 56

  /// Whether the numbers are consistent.
  var isPlausible: Bool {
    var output = output
    // Documents that are not yet in the output may be dead in it.
    if !hasDocuments {
      output.deadCount = 0
      output.pendingDead = []
    }
    return output.isPlausible && credit.magnitude < Self.maximumCredit && inputs.count < 256
      && !inputs.isEmpty && !output.isYoung && !inputs.contains { RecentRun.isNumber($0.number) }
  }
}
