import CObjectBoxAllocationCount

/// Counts a thread's heap allocations: Swift objects and buffers, and C code.
enum HeapAllocations {
  /// Runs a body and returns its number of allocations; nil where they are not counted.
  static func count(_ body: () throws -> Void) rethrows -> Int? {
    let before = objectbox_test_allocation_count()
    try body()
    return before < 0 ? nil : objectbox_test_allocation_count() - before
  }
}
