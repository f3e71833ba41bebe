/// The `uid` annotations of base classes; each applies to elements of several entities.
struct SharedUIDs {
  /// The current UID of an element, and a new one.
  struct Told {
    var entity: String
    var current: UInt64
    var new: UInt64
    /// The annotation that keeps the values of a property whose type changes.
    var migration: String?
  }

  private struct Annotation {
    /// The annotated member, such as "'Dated.made'".
    var path: String
    var uids: [UInt64] = []
    var taken: Set<UInt64> = []
    var told: [Told] = []
  }

  private var annotations: [SourceSpan: Annotation] = [:]

  /// Notes the UIDs of an annotation; empty for a bare `uid`.
  mutating func note(_ uids: [UInt64], of path: String, at place: SourceSpan) {
    if annotations[place] == nil { annotations[place] = Annotation(path: path, uids: uids) }
  }

  /// Notes that an element has a UID of an annotation.
  mutating func take(_ uid: UInt64, at place: SourceSpan) {
    annotations[place]?.taken.insert(uid)
  }

  /// Returns whether an element has a UID of an annotation.
  func isTaken(_ uid: UInt64, at place: SourceSpan) -> Bool {
    annotations[place]?.taken.contains(uid) == true
  }

  /// Notes the answer to a bare `uid` for one entity.
  mutating func tell(_ told: Told, at place: SourceSpan) {
    annotations[place]?.told.append(told)
  }

  private var ordered: [(key: SourceSpan, value: Annotation)] {
    annotations.sorted { $0.key.position < $1.key.position }
  }

  /// Returns an error for each UID that no element has, and for each bare `uid` of a new property.
  var faults: [Diagnostic] {
    ordered.flatMap { place, annotation in
      if annotation.uids.isEmpty, annotation.told.isEmpty {
        return [Diagnostic(.uidNeedsValue("the property \(annotation.path)"), at: place)]
      }
      return annotation.uids.filter { !annotation.taken.contains($0) }.map { uid in
        Diagnostic(.sharedUIDOfNone(uid, annotation.path), at: place)
      }
    }
  }

  /// The answers to each bare `uid`.
  ///
  /// `current` replaces the message of `finding` when new UIDs are not kept.
  var answers: [(finding: Diagnostic, current: DiagnosticMessage)] {
    ordered.filter { !$0.value.told.isEmpty }.map { place, annotation in
      let current = annotation.told.map(\.current)
      let new = annotation.told.map(\.new)
      // With its own UID, a property of another type would be refused.
      let isRetyped = annotation.told.contains { $0.migration != nil }
      return (
        Diagnostic(
          .tellSharedUIDs(annotation.path, annotation.told, new: new),
          at: place,
          fixIts: isRetyped ? [] : [.renaming(place, uids: current)]
        ),
        .tellSharedUIDs(annotation.path, annotation.told, new: [])
      )
    }
  }
}

extension DiagnosticMessage {
  static func sharedUIDOfNone(_ uid: UInt64, _ path: String) -> Self {
    "the uid annotation of \(path) has the UID \(uid), which no entity that inherits it has in the "
      + "model; remove it, or write `uid` without a number to be told the right ones"
  }

  /// `new` is empty when new UIDs are not kept.
  static func tellSharedUIDs(_ path: String, _ told: [SharedUIDs.Told], new: [UInt64]) -> Self {
    let list = told.map { "\($0.current) in '\($0.entity)'" }.joined(separator: ", ")
    let keep =
      told.lazy.compactMap(\.migration).first.map {
        "to keep its values in the new type, write `\($0)` instead"
      } ?? "to rename it, write `\(UIDRule.text(of: told.map(\.current)))` and change the name"
    let reset =
      new.isEmpty
      ? "to be told UIDs that reset its stored values, correct the other findings first"
      : "to reset its stored values, write `\(UIDRule.text(of: new))`"
    return "\(path) has the UID \(list); \(keep); \(reset)"
  }
}
