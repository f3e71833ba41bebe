import Foundation
package import ObjectBox
import Testing

/// A store of persons, filled up to its limit.
package struct FullStore {
  package let temporary: TemporaryStore
  package var store: Store { temporary.store }
  package var people: Box<Person> { temporary.store.box(for: Person.self) }

  package init(_ indexes: PersonIndexes = .all, kilobytes: UInt64 = 800) throws {
    temporary = try TemporaryStore(indexes: indexes, maxDbSizeInKByte: kilobytes)
  }

  package static func person(_ number: Int, size: Int = 500) -> Person {
    let person = Person("\(number % 7)", email: "\(number)@example.org", age: Int32(number % 100))
    person.photo = Data(repeating: UInt8(truncatingIfNeeded: number), count: size)
    return person
  }

  /// Puts persons, ten per transaction, until they no longer fit; returns the error.
  @discardableResult
  package func fill(from first: Int = 0) throws -> ObjectBoxError {
    for number in stride(from: first, to: first + 1_000_000, by: 10) {
      do {
        try people.put((number..<number + 10).map { Self.person($0) })
      } catch let error as ObjectBoxError {
        return error
      }
    }
    throw ObjectBoxError.illegalState(message: "the store was not full")
  }

  /// The size of the file in pages.
  package func pages() throws -> Int { try store.statistics.pages }

  /// The limit of the store in pages.
  package func limit() throws -> Int { try store.maximumSize / store.statistics.pageSizeInBytes }

  /// The largest file in pages that removals may cause, including a commit's own pages.
  package func removalLimit() throws -> Int { try 2 * limit() + 64 + 8 }
}

/// Returns the message of a `dbFull` error; records any other error as an issue.
package func fullMessage(_ body: () throws -> Void) -> String? {
  do { try body() } catch ObjectBoxError.dbFull(let message) { return message } catch {
    Issue.record(error)
  }
  return nil
}
