internal import CObjectBoxRecords

/// Memory of arrays for the C loops over records, freed with its owner.
final class CArena {
  private var allocations: [UnsafeMutableRawPointer] = []

  deinit {
    for allocation in allocations { allocation.deallocate() }
  }

  /// Copies values to the arena.
  ///
  /// - Returns: The copies, valid as long as the arena; an address also without values.
  func keep<T: BitwiseCopyable>(_ values: [T]) -> UnsafePointer<T> {
    let room = UnsafeMutablePointer<T>.allocate(capacity: max(1, values.count))
    values.withUnsafeBufferPointer { values in
      if let first = values.baseAddress { room.initialize(from: first, count: values.count) }
    }
    allocations.append(UnsafeMutableRawPointer(room))
    return UnsafePointer(room)
  }
}

extension obx_field {
  /// The place of a property's value for the C loops.
  init(_ field: RecordField) {
    let kind: obx_value_kind =
      switch field.kind {
      case .absent: OBX_VALUE_ABSENT
      case .objectID: OBX_VALUE_ID
      case .integer8: OBX_VALUE_INTEGER8
      case .integer16: OBX_VALUE_INTEGER16
      case .integer32: OBX_VALUE_INTEGER32
      case .integer64: OBX_VALUE_INTEGER64
      case .float32: OBX_VALUE_FLOAT
      case .float64: OBX_VALUE_DOUBLE
      case .variable: OBX_VALUE_BYTES
      case .firstVariable: OBX_VALUE_FIRST_BYTES
      }
    let presence = field.presence
    self.init(
      kind: kind,
      offset: UInt32(field.offset),
      presence_offset: UInt32(presence.offset),
      presence_mask: presence.mask
    )
  }
}
