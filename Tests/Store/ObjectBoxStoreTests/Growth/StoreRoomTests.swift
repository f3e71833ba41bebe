import Foundation
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

@testable import ObjectBox

struct StoreRoomTests {
  private static func error(_ code: Int32, disk: Int) -> ObjectBoxError {
    StoreError.make(StorageError(code: code, call: "mdb_txn_commit"), location: "notes") {
      var room = StoreRoom(location: "notes", limit: 1 << 20)
      room.disk = disk
      return room
    }
  }

  @Test(arguments: [EIO, ENOSPC, EDQUOT])
  func `a write that a disk without room refuses is told as a full disk`(_ code: Int32) {
    guard case .dbFull(let message) = Self.error(code, disk: 3 << 10) else {
      Issue.record("\(Self.error(code, disk: 3 << 10))")
      return
    }
    #expect(message.contains("the disk is full, it has 3 KiB left"))
  }

  @Test func `a write that a disk with room refuses is told as one of a failing disk`() {
    guard case .storageGeneral = Self.error(EIO, disk: 1 << 40) else {
      Issue.record("\(Self.error(EIO, disk: 1 << 40))")
      return
    }
  }

  @Test func `the end of the map is told as too few addresses, and the limit as the limit`() throws
  {
    let folder = try TemporaryDirectory()
    var options = StorageEnvironment.Options(mapSizeInBytes: 256 << 10, maximumTableCount: 2)
    options.isDurable = false
    options.limitInBytes = 1 << 20
    let environment = try StorageEnvironment(directory: folder.path, options: options)
    defer { environment.close() }
    func fill() throws -> StorageError? {
      let writing = try environment.beginWrite()
      defer { writing.abortUnlessEnded() }
      let table = try #require(try writing.openTable("t", .objects, create: true))
      let cursor = writing.writeCursor(table)
      let record = [UInt8](repeating: 1, count: 3000)
      do {
        for id in 1...1000 {
          try record.withUnsafeBytes { try cursor.put(id: UInt64(id), record: $0) }
        }
        return nil
      } catch let error as StorageError {
        return error
      }
    }
    let end = try #require(try fill())
    #expect(end.isMapFull && !end.isLimitReached)
    guard case .dbFull(let message) = StoreError.make(end, location: folder.path) else {
      Issue.record("\(end)")
      return
    }
    #expect(message.contains("addresses"))
    environment.setLimit(inBytes: 100 << 10)
    #expect(try fill()?.isLimitReached == true)
  }

  @Test func `with an unknown LMDB, puts are refused once the file has passed the limit`() throws {
    let folder = try TemporaryDirectory()
    var options = StorageEnvironment.Options(mapSizeInBytes: 16 << 20, maximumTableCount: 2)
    options.isDurable = false
    options.limitInBytes = 100 << 10
    options.looksIntoTransactions = false
    let environment = try StorageEnvironment(directory: folder.path, options: options)
    defer { environment.close() }
    func put(_ ids: ClosedRange<UInt64>) throws -> StorageError? {
      let writing = try environment.beginWrite()
      defer { writing.abortUnlessEnded() }
      let table = try #require(try writing.openTable("t", .objects, create: true))
      let record = [UInt8](repeating: 1, count: 3000)
      do {
        for id in ids {
          try record.withUnsafeBytes { try writing.put(table, id: id, record: $0) }
        }
        try writing.commit()
        return nil
      } catch let error as StorageError {
        return error
      }
    }
    #expect(try put(1...100) == nil)
    #expect(try put(101...101)?.isLimitReached == true)
    let removing = try environment.beginWrite()
    let table = try #require(try removing.openTable("t", .objects, create: false))
    let wasThere = try removing.removing { try removing.delete(table, id: 1) }
    #expect(wasThere)
    try removing.commit()
    environment.setLimit(inBytes: 1 << 20)
    #expect(try put(101...101) == nil)
  }
}
