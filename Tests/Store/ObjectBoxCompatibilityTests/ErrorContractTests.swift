import Foundation
import ObjectBox
import Testing

struct ErrorContractTests {
  /// Switches over errors as programs do; cases beyond the reference's make a default necessary.
  private func name(_ error: ObjectBoxError) -> String {
    switch error {
    case .unknown(let code, let message): "unknown \(code) \(message)"
    case .cannotWriteWhileReading(let message): message
    case .uniqueViolation(message: let message): message
    case .notFound, .illegalState, .illegalArgument, .allocation, .featureNotAvailable: "a"
    case .noErrorInfo, .general, .dbFull, .maxReadersExceeded, .storeMustShutdown: "b"
    case .storageGeneral, .nonUniqueResult, .propertyTypeMismatch, .constraintViolated: "c"
    case .stdIllegalArgument, .stdOutOfRange, .stdLength, .stdBadAlloc, .stdRange: "d"
    case .stdOverflow, .stdOther, .schema, .fileCorrupt, .filePagesCorrupt: "e"
    case .cannotRelateToUnsavedEntities, .cannotAttachToStore, .sync: "f"
    case .unexpected(let error): "\(error)"
    default: "beyond the reference"
    }
  }

  @Test func `errors are told apart in a switch and in a catch`() throws {
    #expect(name(.unknown(code: 7, message: "text")) == "unknown 7 text")
    #expect(name(.uniqueViolation(message: "twice")) == "twice")
    #expect(name(.unexpected(error: Stop())) == "Stop()")
    do {
      throw ObjectBoxError.notFound(message: "gone")
    } catch ObjectBoxError.notFound(let message) {
      #expect(message == "gone")
    }
  }

  @Test func `each kind of failure has its error`() throws {
    let stores = try ContractStore()
    let tickets = stores.tickets
    try tickets.put([Ticket("a"), Ticket("b")])
    let all = try tickets.query().build()
    #expect(kindThrown { try tickets.remove(99 as Id) } == "notFound")
    #expect(kindThrown { try tickets.put(Ticket("a")) } == "uniqueViolation")
    #expect(kindThrown { _ = try all.findUnique() } == "nonUniqueResult")
    #expect(
      kindThrown { _ = try all.property(Ticket.name).findUniqueString() } == "uniqueViolation"
    )
    let wrong = Property<Ticket, Int64, Void>(propertyId: 2)
    #expect(kindThrown { _ = try all.property(wrong).sum() } == "propertyTypeMismatch")
    let unsaved: ToMany<Sale> = nil
    #expect(kindThrown { _ = try unsaved.getUncachedFromDb() } == "cannotRelateToUnsavedEntities")
    #expect(
      kindThrown { _ = try Store.attachTo(directory: "/nowhere") } == "cannotAttachToStore"
    )
    let far = Ticket("far")
    far.id = 1000
    #expect(kindThrown { try tickets.put(far) } == "illegalArgument")
    stores.store.close()
    #expect(kindThrown { _ = try tickets.all() } == "illegalState")
    #expect(kindThrown { _ = try tickets.get(0 as Id) } == "illegalState")
    #expect(kindThrown { _ = try all.find() } == "illegalState")
    #expect(kindThrown { try stores.store.runInTransaction {} } == "illegalState")
  }

  @Test func `messages are for reading, and the word is the case`() {
    let error = ObjectBoxError.dbFull(message: "Could not put")
    #expect("\(error)".hasPrefix("dbFull: Could not put"))
    #expect(error.localizedDescription == "Could not put")
    #expect("\(ObjectBoxError.unknown(code: 10210, message: "text"))" == "unknown 10210: text")
  }

  /// Reads an error of a write as an `NSError`, in a function that does not throw.
  ///
  /// On Linux `catch let error as NSError` would end the process: the compiler assumes that the
  /// pattern matches every error, but it matches only instances of the class.
  private func read(_ write: () throws -> Void) -> NSError? {
    do {
      try write()
      return nil
    } catch {
      let error = error as NSError
      return error
    }
  }

  @Test func `an error of a write can be read as an NSError on all platforms`() throws {
    let stores = try ContractStore()
    try stores.tickets.put(Ticket("a"))
    let error = read { try stores.store.write { _ = try $0.put(Ticket("a")) } }
    #expect(error?.domain == "ObjectBox.ObjectBoxError")
    #expect(error?.localizedDescription.contains("'Ticket.") == true)
    let own = read { try stores.store.write { _ in throw Stop() } }
    #expect(own?.domain.hasSuffix("Stop") == true)
    #expect(try stores.tickets.count() == 1)
  }
}
