internal import ObjectBox
internal import Observation

/// The object or the results that a tracked read belongs to, in one view.
enum ReadOwner: Hashable {
  /// An object, by entity, ID and the generation of its handle.
  case object(entity: UInt32, id: UInt64, generation: Int)
  /// Results, by a number that the view has given them.
  case results(Int)
}

/// A part of a handle that can be read.
enum ReadPart: Hashable {
  /// A member of an object, by its key path.
  case member(AnyKeyPath)
  /// A property of an object, by its ID.
  case property(UInt32)
  /// The record of an object, or the records of results.
  case content
  /// Whether the object, or the host of the results, is there.
  case presence
  /// The IDs of results in their order.
  case objects
  /// The number of results.
  case count
}

/// The reads of a live view that Observation tracks.
///
/// The protocol of ``TrackedReads``, which not all systems of the package have.
protocol ReadTracking: AnyObject {
  /// True when no read is tracked.
  var isEmpty: Bool { get }

  /// Returns whether Observation tracks a read that happens now; if so, the caller passes it to
  /// ``track(_:of:in:isCurrent:)``.
  func isTracking() -> Bool

  /// Remembers a tracked read until its value changes.
  ///
  /// - Parameters:
  ///   - part: The part that was read.
  ///   - owner: Its object or results.
  ///   - live: The view, which is not retained.
  ///   - isCurrent: Returns whether the part has the same value at the version of the view; must
  ///     not retain the view.
  func track(
    _ part: ReadPart,
    of owner: ReadOwner,
    in live: LiveStore,
    isCurrent: @escaping (LiveStore) -> Bool
  )

  /// Notifies Observation of the reads whose values have changed with the view.
  func tell(_ live: LiveStore)
}

/// The reads of a live view that Observation tracks; used in the isolation of the view.
///
/// Observation has no function that reports whether a read is tracked. But it retains the key path of a read
/// for exactly as long as a tracking with that read waits for a change. Each read therefore passes a spare key
/// path, to which there is one reference. If there is still only one reference afterwards, the read is not
/// tracked. Otherwise this key path stands for the read from then on, and when Observation has released it, the
/// read is forgotten.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
final class TrackedReads: ReadTracking, Observable {
  private struct Key: Hashable {
    let owner: ReadOwner
    let part: ReadPart
  }

  private struct Read {
    weak var keyPath: KeyPath<TrackedReads, Void>?
    /// The view's epoch at which the value was last known to be current; -1 inside a write.
    var epoch: Int
    let isCurrent: (LiveStore) -> Bool
  }

  private let registrar = ObservationRegistrar()
  /// The key path that the next read passes.
  private var spare: KeyPath<TrackedReads, Void>
  private var lastNumber = 0
  private var reads: [Key: Read] = [:]
  /// Reads whose values have changed, and were read again before Observation was notified.
  private var changed: [Read] = []

  init() { spare = \TrackedReads.[0] }

  /// A read by its number; makes key paths that differ.
  private subscript(number: Int) -> Void { () }

  var isEmpty: Bool { reads.isEmpty && changed.isEmpty }

  func isTracking() -> Bool {
    registrar.access(self, keyPath: spare)
    return !isKnownUniquelyReferenced(&spare)
  }

  func track(
    _ part: ReadPart,
    of owner: ReadOwner,
    in live: LiveStore,
    isCurrent: @escaping (LiveStore) -> Bool
  ) {
    let key = Key(owner: owner, part: part)
    let epoch = live.store.isInWriteTransaction ? -1 : live.epoch
    let keyPath = spare
    lastNumber += 1
    spare = \TrackedReads.[lastNumber]
    if let known = reads[key], let knownPath = known.keyPath {
      if known.isCurrent(live) {
        registrar.access(self, keyPath: knownPath)
        reads[key]?.epoch = epoch
        return
      }
      changed.append(known)
    }
    reads[key] = Read(keyPath: keyPath, epoch: epoch, isCurrent: isCurrent)
  }

  func tell(_ live: LiveStore) {
    if isEmpty { return }
    let epoch = live.epoch
    var due = changed
    changed = []
    for (key, read) in reads {
      if read.keyPath == nil {
        reads[key] = nil
      } else if read.epoch == epoch {
        continue
      } else if read.isCurrent(live) {
        reads[key]?.epoch = epoch
      } else {
        reads[key] = nil
        due.append(read)
      }
    }
    // Handlers may read, and track again.
    for keyPath in due.compactMap(\.keyPath) {
      registrar.willSet(self, keyPath: keyPath)
      registrar.didSet(self, keyPath: keyPath)
    }
  }
}
