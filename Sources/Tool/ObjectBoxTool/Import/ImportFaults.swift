internal import ObjectBox

/// The lines that an import does not store.
struct ImportFaults {
  /// Ends a transaction that must not be committed because of rejected lines.
  struct Refused: Error {}

  private let limit: Int
  private(set) var count = 0
  private var losses: ImportLosses?
  /// Gets the rejected lines; nil if one of them keeps all from being stored.
  private(set) var file: OutputFile?

  /// - Parameters:
  ///   - limit: The number of faults to show; 0 for all.
  ///   - file: Gets the rejected lines.
  init(limit: Int, file: OutputFile?) {
    self.limit = limit
    self.file = file
  }

  var isEmpty: Bool { count == 0 && losses == nil }

  mutating func add(_ rejected: Rejected) throws {
    // A column that is left out concerns every line: one message for all of them.
    if file == nil, let loss = rejected.loss {
      if losses?.add(loss) == nil { losses = ImportLosses(loss, at: rejected.fault) }
      return
    }
    count += 1
    if limit == 0 || count <= limit { Console.tell("\(rejected.fault)") }
    try file?.write(rejected.record.source + [0x0A])
  }

  func tellRest() {
    if limit > 0, count > limit { Console.tell("… and \(count - limit) more") }
    if let losses { Console.tell("\(losses.fault)") }
  }
}

/// The values of a stored object that a line leaves out.
struct ImportLoss {
  let entity: String
  let id: UInt64
  /// The names of the properties, in the order of the schema.
  let names: [String]

  /// The message of one line, or of several.
  func text(ofLines count: Int = 1) -> String {
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
    let lines =
      count == 1
      ? "this line leaves out values of the stored '\(entity)' with ID \(id), \(list)"
      : "this line and \((count - 1).counted("other")) leave out values of stored objects, \(list), first "
        + "of '\(entity)' with ID \(id)"
    return lines + "; use --update to keep such values, or --replace to lose them"
  }
}

/// The values that an import would lose.
private struct ImportLosses {
  private var first: ImportLoss
  private var names: [String]
  private var place: LineFault
  private var count = 1

  init(_ loss: ImportLoss, at place: LineFault) {
    first = loss
    names = loss.names
    self.place = place
  }

  mutating func add(_ loss: ImportLoss) {
    count += 1
    names += loss.names.filter { !names.contains($0) }
  }

  var fault: LineFault {
    let all = ImportLoss(entity: first.entity, id: first.id, names: names)
    return LineFault(all.text(ofLines: count), at: place.place)
  }
}
