internal import CObjectBoxRecords

/// The fields of some properties in all layouts of a table, for reading records by columns in C.
///
/// Immutable, so that any number of threads may use it.
package final class RecordColumns: @unchecked Sendable {
  /// A property, and the form in which its values are read.
  package struct Column: Sendable {
    package enum Kind: Sendable { case integer, double, text }

    package var propertyID: UInt32
    package var kind: Kind

    package init(propertyID: UInt32, kind: Kind) {
      self.propertyID = propertyID
      self.kind = kind
    }
  }

  /// The fields, valid as long as this object.
  let columns: UnsafePointer<obx_columns>
  /// Owns the memory of the columns.
  private let arena = CArena()

  /// Finds the fields.
  ///
  /// - Parameters:
  ///   - columns: The properties. A property that a layout lacks, or stores in another form, reads
  ///     as null.
  ///   - records: The table.
  package init(_ columns: [Column], of records: RecordTable) {
    let arena = arena
    let layouts = records.layouts.map { layout in
      obx_column_fields(
        fields: arena.keep(columns.map { obx_field($0.field(in: layout)) }),
        fixed_size: layout.fixedSize
      )
    }
    self.columns = arena.keep([
      obx_columns(
        layouts: arena.keep(layouts),
        layout_count: layouts.count,
        column_count: columns.count
      )
    ])
  }
}

extension RecordColumns.Column {
  fileprivate func field(in layout: RecordLayout) -> RecordField {
    let field = layout.field(propertyID: propertyID)
    let isRight =
      switch kind {
      case .integer: field.kind.isInteger || field.kind == .objectID
      case .double: field.kind == .float32 || field.kind == .float64
      case .text: field.kind.isVariable
      }
    return isRight ? field : .absent
  }
}
