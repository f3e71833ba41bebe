extension Array {
  /// Makes an array of `count` elements, all of which `fill` initializes.
  ///
  /// The standard library's initializer by capacity writes to the empty array, which all threads
  /// share, when the capacity is 0.
  @inline(__always)
  init(count: Int, filledBy fill: (UnsafeMutableBufferPointer<Element>) -> Void) {
    if count == 0 {
      self = []
      return
    }
    self.init(unsafeUninitializedCapacity: count) { room, initializedCount in
      fill(room)
      initializedCount = count
    }
  }
}
