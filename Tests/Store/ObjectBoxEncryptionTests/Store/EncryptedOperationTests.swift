#if os(Linux) && OBJECTBOX_SODIUM
  import Dispatch
  import Foundation
  import ObjectBox
  import ObjectBoxCare
  import ObjectBoxEncryption
  import ObjectBoxLive
  import ObjectBoxRuntimeTestSupport
  import ObjectBoxTestSupport
  import Testing

  /// Each operation on an encrypted store, called where a program may call it: it is done or refused as documented,
  /// never waits for ever, and loses nothing.
  struct EncryptedOperationTests {
    enum Operation: String, CaseIterable, Sendable {
      case changeKey, changePassphrase, compact, discardRetiredData, copy, backup, verify
      case backupOfFiles, verifyFiles, salvage

      /// Runs the operation.
      ///
      /// - Parameters:
      ///   - store: The store, which may be closed.
      ///   - folder: A folder for new stores.
      /// - Throws: The error of the operation.
      func run(on store: Store, _ folder: TemporaryDirectory) throws {
        let target = folder.path + "/\(rawValue)-\(UUID().uuidString)"
        var source = Store.Configuration(directory: store.directoryPath)
        source.encryption = EncryptedOperationTests.keys[0]
        var other = Store.Configuration(directory: target)
        other.encryption = EncryptedOperationTests.keys[1]
        switch self {
        case .changeKey: try store.changeEncryption(to: EncryptedOperationTests.keys[1])
        case .changePassphrase: try store.changeEncryption(to: EncryptedOperationTests.keys[2])
        case .compact: try store.compact()
        case .discardRetiredData: try store.discardRetiredData()
        case .copy: _ = try store.copy(to: other)
        case .backup: _ = try store.backup(to: target)
        case .verify: try #require(try store.verify().isSound)
        case .backupOfFiles: try Store.backup(of: source, to: target)
        case .verifyFiles: try #require(try Store.verify(source).isSound)
        case .salvage:
          let report = try #require(try Store.salvage(source, to: other))
          try #require(report.isWhole, "\(report)")
        }
      }

      /// The documented results.
      func outcome(in place: Place) -> Outcome {
        switch (self, place) {
        case (.backupOfFiles, .closed), (.verifyFiles, .closed), (.salvage, .closed): .done
        case (.copy, .closed), (.backup, .closed), (.verify, .closed): .closed
        case (_, .closed): .illegalState
        case (_, .snapshot), (_, .clone), (.salvage, _): .done
        case (.compact, _): .illegalState
        case (.discardRetiredData, .reading): .cannotWriteWhileReading
        case (.discardRetiredData, _): .alreadyInWriteTransaction
        case (_, .reading), (.copy, _), (.verify, _), (.verifyFiles, _): .done
        default: .illegalState
        }
      }
    }

    enum Place: String, CaseIterable, Sendable {
      case reading, writing, writeBlock, suspendingWrite, asynchronousWrite, writeOfClone
      case snapshot, clone, closed

      var isWrite: Bool {
        ![Self.reading, .snapshot, .clone, .closed].contains(self)
      }
    }

    enum Outcome: Equatable, Sendable {
      case done, illegalState, closed, alreadyInWriteTransaction, cannotWriteWhileReading
      case other(String)

      init(_ body: () throws -> Void) {
        do {
          try body()
          self = .done
        } catch ObjectBoxError.illegalState { self = .illegalState } catch ObjectBoxError.closed {
          self = .closed
        } catch ObjectBoxError.alreadyInWriteTransaction {
          self = .alreadyInWriteTransaction
        } catch ObjectBoxError.cannotWriteWhileReading {
          self = .cannotWriteWhileReading
        } catch { self = .other("\(error)") }
      }
    }

    private static let keys: [StoreEncryption] = [
      .key(testKey), .key([UInt8](repeating: 9, count: 32)),
      .passphrase("words", cost: PassphraseCost(passes: 1, memoryInBytes: 8192)),
    ]

    /// Runs a body on a thread of its own; returns false if it has no end.
    private static func ends(_ body: @escaping @Sendable () -> Void) -> Bool {
      let end = DispatchSemaphore(value: 0)
      Thread {
        body()
        end.signal()
      }.start()
      return end.wait(timeout: .now() + 120) == .success
    }

    /// Calls an operation in a place.
    private static func call(
      _ operation: Operation,
      in place: Place,
      on store: Store,
      _ folder: TemporaryDirectory
    ) throws -> Outcome {
      let run: @Sendable () -> Outcome = { Outcome { try operation.run(on: store, folder) } }
      /// The changes of the transaction are kept, whatever becomes of the operation in it.
      let put: @Sendable (Store) throws -> Void = {
        try $0.box(for: Person.self).put(Person("in it"))
      }
      switch place {
      case .reading: return try store.runInReadOnlyTransaction { run() }
      case .writing:
        return try store.runInTransaction {
          try put(store)
          return run()
        }
      case .writeBlock:
        return try store.write { transaction in
          try transaction.put(Person("in it"))
          return run()
        }
      case .suspendingWrite, .asynchronousWrite:
        let (end, found) = (DispatchSemaphore(value: 0), Guarded<Outcome>(.other("no end")))
        let body: @Sendable (WriteTransaction) throws -> Void = { transaction in
          try transaction.put(Person("in it"))
          let outcome = run()
          found.withLock { $0 = outcome }
        }
        if place == .asynchronousWrite {
          store.writeAsync(
            on: SerialQueue(label: "operations"),
            body,
            onComplete: { _ in end.signal() }
          )
        } else {
          Task.detached {
            _ = try? await store.write { try body($0) }
            end.signal()
          }
        }
        end.wait()
        return found.copy
      case .writeOfClone:
        let clone = try store.clone()
        defer { clone.close() }
        return try clone.runInTransaction {
          try put(clone)
          return run()
        }
      case .snapshot:
        let snapshot = try store.freeze()
        let outcome = run()
        let count = try snapshot.count(Person.self)
        return count == 20 ? outcome : .other("the snapshot has \(count) objects")
      case .clone:
        let clone = try store.clone()
        defer { clone.close() }
        return Outcome { try operation.run(on: clone, folder) }
      case .closed:
        store.close()
        return run()
      }
    }

    /// Returns the names of all people, by the one of the keys that opens the store.
    private static func names(_ path: String) throws -> [String] {
      var refused: (any Error)?
      for key in keys {
        do {
          let store = try EncryptedStore.open(path, key)
          defer { store.close() }
          try #require(try store.verify().isSound)
          return try store.box(for: Person.self).all().map(\.name)
        } catch { refused = error }
      }
      throw try #require(refused)
    }

    @Test(arguments: Operation.allCases, Place.allCases)
    func `an operation is done or refused as documented, wherever it is called`(
      operation: Operation,
      place: Place
    ) throws {
      let test = try EncryptedStore()
      let people = (0..<20).map { "\($0)" }
      try test.people.put(people.map { Person($0) })
      let (store, folder) = (test.store, try TemporaryDirectory())
      let outcome = Guarded<Outcome>(.other("no end"))
      let ended = Self.ends {
        let found =
          (try? Self.call(operation, in: place, on: store, folder)) ?? .other("the transaction")
        outcome.withLock { $0 = found }
      }
      try #require(ended, "\(operation) in \(place) waits for ever")
      #expect(outcome.copy == operation.outcome(in: place))
      if place != .closed { try store.box(for: Person.self).put(Person("later")) }
      store.close()
      let later = place == .closed ? [] : ["later"]
      #expect(try Self.names(test.path) == people + (place.isWrite ? ["in it"] : []) + later)
    }

    @Test(arguments: Operation.allCases)
    func `an operation beside each other one, a clone and a writer loses nothing`(
      operation: Operation
    ) throws {
      let test = try EncryptedStore()
      let (store, folder) = (test.store, try TemporaryDirectory())
      let clone = try store.clone()
      let failures = Guarded<[String]>([])
      let all = Operation.allCases
      let ended = Self.ends {
        DispatchQueue.concurrentPerform(iterations: 3) { thread in
          for (number, other) in all.enumerated() {
            let outcome = Outcome {
              switch thread {
              case 0: try operation.run(on: store, folder)
              case 1: try other.run(on: clone, folder)
              default:
                for part in 0..<5 {
                  try store.box(for: Person.self).put(Person("\(number) \(part)"))
                }
              }
            }
            if outcome != .done {
              failures.withLock { $0.append("\(thread) \(operation) \(other): \(outcome)") }
            }
          }
        }
      }
      try #require(ended, "\(operation) waits for ever")
      #expect(failures.copy == [])
      clone.close()
      store.close()
      let expected = all.indices.flatMap { number in (0..<5).map { "\(number) \($0)" } }
      #expect(try Self.names(test.path) == expected)
    }
  }
#endif
