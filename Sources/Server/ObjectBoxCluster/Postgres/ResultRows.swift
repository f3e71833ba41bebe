#if OBJECTBOX_LIBPQ
  internal import CObjectBoxPostgres
#endif

/// The rows returned by a statement, in PostgreSQL's binary form.
///
/// Owns memory of libpq. Sendable, since no function that changes a libpq result is called after
/// `init`.
package final class ResultRows: @unchecked Sendable {
  /// The number of rows.
  package let count: Int
  package let columnCount: Int
  #if OBJECTBOX_LIBPQ
    private let result: OpaquePointer

    /// Takes ownership of a result of libpq.
    init(_ result: OpaquePointer) {
      self.result = result
      count = Int(PQntuples(result))
      columnCount = Int(PQnfields(result))
    }

    /// The number of rows that an INSERT, UPDATE or DELETE changed.
    package var changedCount: Int { PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0 }

    /// The bytes of memory that the rows take.
    package var byteCount: Int { PQresultMemorySize(result) }

    deinit {
      PQclear(result)
    }
  #else
    /// A build without libpq has no rows.
    private init() {
      count = 0
      columnCount = 0
    }

    package var changedCount: Int { 0 }
    package var byteCount: Int { 0 }
  #endif

  /// Returns the bytes of a value, valid while the rows exist; nil for null.
  package func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
    checkHas(row..<row + 1, columns: column..<column + 1)
    return uncheckedBytes(row, column)
  }

  /// Traps unless the rows and columns exist.
  package func checkHas(_ rows: Range<Int>, columns: Range<Int>) {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= count)
    precondition(columns.lowerBound >= 0 && columns.upperBound <= columnCount)
  }

  /// Returns the bytes of a value; the caller has checked row and column with
  /// ``checkHas(_:columns:)``.
  package func uncheckedBytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
    #if OBJECTBOX_LIBPQ
      let row = Int32(truncatingIfNeeded: row)
      let column = Int32(truncatingIfNeeded: column)
      let count = PQgetlength(result, row, column)
      if count == 0, PQgetisnull(result, row, column) != 0 { return nil }
      return UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: Int(count))
    #else
      return nil
    #endif
  }

  /// Returns a number; nil for null, and for a value of another width.
  package func integer<T: FixedWidthInteger>(_ row: Int, _ column: Int, as type: T.Type = T.self)
    -> T?
  {
    bytes(row, column).flatMap { T(bigEndianBytes: $0) }
  }

  /// Returns a bigint, integer or smallint; nil for null.
  package func anyInteger(_ row: Int, _ column: Int) -> Int64? {
    guard let bytes = bytes(row, column) else { return nil }
    switch bytes.count {
    case 2: return Int16(bigEndianBytes: bytes).map(Int64.init)
    case 4: return Int32(bigEndianBytes: bytes).map(Int64.init)
    default: return Int64(bigEndianBytes: bytes)
    }
  }

  package func double(_ row: Int, _ column: Int) -> Double? {
    integer(row, column, as: UInt64.self).map(Double.init(bitPattern:))
  }

  package func bool(_ row: Int, _ column: Int) -> Bool? { bytes(row, column).map { $0.first != 0 } }

  package func text(_ row: Int, _ column: Int) -> String? {
    bytes(row, column).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns an ID column of all rows.
  package func ids(column: Int = 0) -> [UInt64] {
    (0..<count).compactMap { integer($0, column, as: UInt64.self) }
  }
}

extension FixedWidthInteger {
  /// Reads a number in PostgreSQL's byte order; nil for another number of bytes.
  package init?(bigEndianBytes bytes: UnsafeRawBufferPointer) {
    guard bytes.count == MemoryLayout<Self>.size else { return nil }
    var value: Self = 0
    withUnsafeMutableBytes(of: &value) { $0.copyMemory(from: bytes) }
    self.init(bigEndian: value)
  }
}
