import CObjectBoxPages
import CObjectBoxRecords
import ObjectBoxRuntimeTestSupport
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

@testable import ObjectBox

/// Columns are read in C, single records in Swift.
///
/// Both must agree on any bytes.
struct RecordColumnsTests {
  private static let types: [PropertyType] = [
    .long, .bool, .short, .int, .long, .float, .double, .string, .byteVector, .intVector, .relation,
  ]

  /// Two layouts: all types, the first as object ID, and an older one with every other property.
  private static let layouts = [
    RecordLayout(definition(0, ids: types.indices.filter { $0 % 2 == 0 })),
    RecordLayout(definition(1, ids: Array(types.indices))),
  ]

  private static func definition(_ number: UInt16, ids: [Int]) -> RecordLayout.Definition {
    RecordLayout.Definition(
      number: number,
      properties: ids.map {
        .init(id: UInt32($0 + 1), uid: 0, type: types[$0], isObjectID: $0 == 0)
      }
    )
  }

  /// Every property, and one that no layout has, in every form.
  private static let columns = (0...types.count).flatMap { index in
    [RecordColumns.Column.Kind.integer, .double, .text].map {
      RecordColumns.Column(propertyID: UInt32(index + 1), kind: $0)
    }
  }

  private static func record(_ random: inout SplitMix) -> [UInt8] {
    let layout = random.pick(layouts)
    let size = layout.fixedSize + Int.random(in: 0..<24, using: &random)
    var bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
    bytes.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: layout.definition.number, as: UInt16.self)
      for index in 0..<layout.variableCount {
        // Most ends lie in the record, some before its values or behind it.
        let end = UInt32.random(in: UInt32(layout.fixedSize - 2)..<UInt32(size + 3), using: &random)
        bytes.storeBytes(of: end, toByteOffset: layout.endsOffset + 4 * index, as: UInt32.self)
      }
    }
    return bytes
  }

  private struct Value: Equatable {
    var number: Int64 = 0
    var text: [UInt8] = []
    var isPresent = false
  }

  private static func value(of column: RecordColumns.Column, in record: RecordReader) -> Value {
    let field = record.field(propertyID: column.propertyID)
    switch column.kind {
    case .integer:
      let number = record.integer(field)
      return Value(number: number ?? 0, isPresent: number != nil)
    case .double:
      let number = record.double(field)
      let bits = Int64(bitPattern: number?.bitPattern ?? 0)
      return Value(number: bits, isPresent: number != nil)
    case .text:
      let text = record.bytes(field)
      return Value(text: text.map { [UInt8]($0) } ?? [], isPresent: text != nil)
    }
  }

  /// Destinations of columns in C, in memory of their exact size.
  private final class Destinations {
    let columns: UnsafeMutableBufferPointer<obx_column>

    init(count: Int) {
      columns = .allocate(capacity: RecordColumnsTests.columns.count)
      for (index, column) in RecordColumnsTests.columns.enumerated() {
        let isText = column.kind == .text
        let presence = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
        presence.initialize(repeating: 7, count: count)
        let destination = obx_column(
          numbers: isText ? nil : .allocate(capacity: count),
          bytes: isText ? .allocate(capacity: count) : nil,
          presence: presence,
          null_count: 0
        )
        columns.initializeElement(at: index, to: destination)
      }
    }

    deinit {
      for column in columns {
        column.numbers?.deallocate()
        column.bytes?.deallocate()
        column.presence.deallocate()
      }
      columns.deallocate()
    }

    func value(_ column: Int, at place: Int) -> Value {
      let text = columns[column].bytes.map { $0[place] }
      return Value(
        number: columns[column].numbers?[place] ?? 0,
        text: text.map { Array(UnsafeBufferPointer(start: $0.start, count: $0.size)) } ?? [],
        isPresent: columns[column].presence[place] == 1
      )
    }
  }

  @Test(arguments: 0..<20)
  func `columns have the values that a reader finds, of any bytes`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    let store = try SampleStore(.init())
    let table = RecordTable(
      entityName: "Sample",
      objects: try store.samples.table().records.objects,
      layouts: Self.layouts,
      currentLayout: Self.layouts[1],
      checksum: RecordChecksum(entityUID: 1),
      quoting: .shown
    )
    var records = (0..<150).map { _ in Self.record(&random) }
    let damaged = Int.random(in: 0...records.count, using: &random)
    if damaged < records.count {
      // Shorter than the fixed part, without a layout number, or of an unknown layout.
      switch Int.random(in: 0..<3, using: &random) {
      case 0: records[damaged] = Array(records[damaged][..<8])
      case 1: records[damaged] = Array(records[damaged][..<1])
      default: records[damaged][0] = 2
      }
    }
    // Exact copies, so that the address sanitizer sees reads beyond a record.
    let copies = records.map { record in
      let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: record.count)
      copy.initialize(from: record, count: record.count)
      return copy
    }
    defer { for copy in copies { copy.deallocate() } }
    let ids = (0..<records.count).map { _ in UInt64.random(in: 0 ... .max, using: &random) }
    let place = Int.random(in: 0..<5, using: &random)
    let destinations = Destinations(count: place + records.count)
    let count = ids.withUnsafeBytes { ids in
      let entries = copies.indices.map { index in
        obx_pages_entry(
          key: ids.baseAddress?.advanced(by: 8 * index).assumingMemoryBound(to: UInt8.self),
          value: copies[index],
          key_size: 8,
          value_size: UInt32(records[index].count)
        )
      }
      return entries.withUnsafeBufferPointer { entries in
        entries.withMemoryRebound(to: StorageCursor.ObjectEntry.self) { objects in
          destinations.columns.baseAddress.map {
            RecordRun(objects: objects)
              .read(0..<objects.count, RecordColumns(Self.columns, of: table), into: $0, at: place)
          }
        }
      }
    }
    #expect(count == damaged)
    for (index, column) in Self.columns.enumerated() {
      var nulls = 0
      for (number, record) in records[..<damaged].enumerated() {
        let expected = try record.withUnsafeBytes {
          Self.value(of: column, in: try table.reader($0, id: ids[number]))
        }
        #expect(destinations.value(index, at: place + number) == expected, "\(column)")
        nulls += expected.isPresent ? 0 : 1
      }
      #expect(destinations.columns[index].null_count == nulls)
      for number in 0..<place { #expect(destinations.columns[index].presence[number] == 7) }
    }
  }
}
