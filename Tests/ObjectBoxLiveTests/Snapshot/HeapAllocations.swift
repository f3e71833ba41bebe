import CObjectBoxAllocationCount

/// Counts how often a thread takes memory from the heap: for Swift objects and buffers, and for C code.
enum HeapAllocations {
  /// Runs a body and returns how often it took memory; nil where that is not counted.
  static func count(_ body: () throws -> Void) rethrows -> Int? {
    let before = objectbox_test_allocation_count()
    try body()
    return before < 0 ? nil : objectbox_test_allocation_count() - before
  }
}
