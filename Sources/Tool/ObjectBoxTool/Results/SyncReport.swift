internal import Foundation
internal import ObjectBox
internal import ObjectBoxJSON
internal import ObjectBoxSync

/// The waiting and the rejected transactions of a synchronized store, for people and programs.
struct SyncReport {
  /// The number of writes of a transaction in the text.
  static let shownWrites = 20

  private let status: SyncStatus
  private let path: String

  init(_ status: SyncStatus, at path: String) {
    self.status = status
    self.path = path
  }

  // MARK: Text

  var text: String {
    var text = """
      \(path)
        device      \(status.device)
        server      \(status.hasServerState ? "its state has arrived" : "no state has arrived yet")
        waiting     \(status.counts.waiting.counted("transaction"))
        rejected    \(status.counts.rejected.counted("transaction"))

      """
    if let oldest = status.oldest {
      text += "\noldest waiting transaction, written \(Self.text(of: oldest.written))\n"
      text += Self.text(of: oldest.writes)
    }
    for (index, rejection) in status.rejections.enumerated() {
      text += "\nrejected transaction \(index + 1), "
      text += rejection.isWhole ? "undone as a whole\n" : "whose parts had no effect\n"
      var parts = ConsoleTable(["reason", "entity", "id", "property"], numbers: [2])
      for part in rejection.parts {
        parts.add([
          part.reasonText, part.entity.orUnknown, part.id == 0 ? "-" : "\(part.id)",
          part.property ?? "-",
        ])
      }
      text += parts.text + Self.text(of: rejection.writes)
    }
    return text
  }

  private static func text(of writes: [SyncRejection.Write]) -> String {
    var table = ConsoleTable(["write", "entity", "id", "properties"], numbers: [2])
    for write in writes.prefix(shownWrites) {
      table.add([
        write.kind.rawValue, write.entity.orUnknown, "\(write.id)",
        write.properties.joined(separator: ", "),
      ])
    }
    let rest = writes.count - shownWrites
    return table.text + (rest > 0 ? "  … and \(rest) more\n" : "")
  }

  fileprivate static func text(of date: Date) -> String {
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
    return DateText.text(ticks: Int64(milliseconds), isNano: false) ?? "\(date)"
  }

  // MARK: JSON

  var json: String {
    var writer = JSONWriter()
    let members: BrowserAPI.Members = [("store", { $0.string(path) })]
    writer.object(members + status.members(.numbers))
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }
}

extension String {
  /// The name of an entity, which an older model may lack.
  fileprivate var orUnknown: String { isEmpty ? "(not in this model)" : self }
}

extension SyncStatus.Counts {
  var members: BrowserAPI.Members {
    [("waiting", { $0.integer(waiting) }), ("rejected", { $0.integer(rejected) })]
  }
}

extension SyncStatus {
  /// How much of a status is written, and the form of IDs.
  struct JSONForm {
    /// IDs as texts, since numbers in JavaScript have 53 bits.
    let hasTextIDs: Bool
    /// The greatest number of writes of each transaction, and of rejected transactions.
    let limit: Int

    /// Everything, for programs.
    static let numbers = Self(hasTextIDs: false, limit: .max)
    /// As much as a page shows.
    static let page = Self(hasTextIDs: true, limit: 100)
  }

  /// The members of a JSON object.
  func members(_ form: JSONForm) -> BrowserAPI.Members {
    let head: BrowserAPI.Members = [
      ("device", { $0.string(device) }), ("hasServerState", { $0.boolean(hasServerState) }),
    ]
    return head + counts.members + [
      (
        "oldest",
        { writer in
          guard let oldest else { return writer.raw("null") }
          let members: BrowserAPI.Members = [
            ("written", { $0.string(SyncReport.text(of: oldest.written)) })
          ]
          writer.object(members + oldest.writes.members(form))
        }
      ),
      (
        "rejections",
        { writer in
          writer.list(Array(rejections.prefix(form.limit))) { writer, rejection in
            let members: BrowserAPI.Members = [
              ("isWhole", { $0.boolean(rejection.isWhole) }),
              ("parts", { $0.list(rejection.parts) { $0.part($1, form) } }),
            ]
            writer.object(members + rejection.writes.members(form))
          }
        }
      ),
    ]
  }
}

extension [SyncRejection.Write] {
  fileprivate func members(_ form: SyncStatus.JSONForm) -> BrowserAPI.Members {
    [
      ("writeCount", { $0.integer(count) }),
      ("writes", { $0.list(Array(prefix(form.limit))) { $0.write($1, form) } }),
    ]
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ write: SyncRejection.Write, _ form: SyncStatus.JSONForm) {
    object([
      ("kind", { $0.string(write.kind.rawValue) }), ("entity", { $0.string(write.entity) }),
      ("id", { $0.id(write.id.value, form) }),
      ("properties", { $0.list(write.properties) { $0.string($1) } }),
    ])
  }

  fileprivate mutating func part(_ part: SyncRejection.Part, _ form: SyncStatus.JSONForm) {
    object([
      ("reason", { $0.string(part.reason.rawValue) }), ("entity", { $0.string(part.entity) }),
      ("id", { $0.id(part.id.value, form) }), ("property", { $0.string(orNull: part.property) }),
      ("message", { $0.string(orNull: part.message) }),
    ])
  }

  private mutating func id(_ id: UInt64, _ form: SyncStatus.JSONForm) {
    if form.hasTextIDs { self.id(id) } else { integer(id) }
  }
}

extension SyncRejection.Part {
  /// The reason, with the message if there is one.
  fileprivate var reasonText: String {
    message.map { "\(reason.rawValue): \($0)" } ?? reason.rawValue
  }
}
