/// The objects of several lists, in the order of discovery.
///
/// Arrays of a generic type look up its metadata at each use, which costs as much as making the
/// object. Objects therefore stay in one buffer until the lists are made.
///
/// Owns that buffer. Invariant: the first `count` elements of `objects` are initialized.
final class CollectedObjects<S> {
  private var objects: UnsafeMutablePointer<S>
  private var capacity = 64
  private var count = 0
  /// The list that each object belongs to.
  @exclusivity(unchecked) private var positions: [Int] = []

  init() {
    objects = .allocate(capacity: capacity)
  }

  deinit {
    objects.deinitialize(count: count)
    objects.deallocate()
  }

  /// Adds an object at the end of a list.
  func append(_ object: S, to position: Int) {
    if count == capacity { grow() }
    (objects + count).initialize(to: object)
    count += 1
    positions.append(position)
  }

  @inline(never)
  private func grow() {
    capacity *= 2
    let larger = UnsafeMutablePointer<S>.allocate(capacity: capacity)
    larger.moveInitialize(from: objects, count: count)
    objects.deallocate()
    objects = larger
  }

  /// Passes each list to a body, and is empty afterwards.
  ///
  /// - Parameters:
  ///   - listCount: The number of lists, greater than every position.
  ///   - body: Gets the position of a list and its objects.
  func moveLists(count listCount: Int, _ body: (Int, [S]) -> Void) {
    // Index of each list's next object; at the end, the list's end.
    var places = [Int](repeating: 0, count: listCount + 1)
    for position in positions { places[position + 1] += 1 }
    for position in 1..<places.count { places[position] += places[position - 1] }
    let total = count
    let sorted = UnsafeMutablePointer<S>.allocate(capacity: total)
    count = 0
    // Each object moves to an index of its own, so all of `sorted` is initialized.
    for index in 0..<total {
      let position = positions[index]
      (sorted + places[position]).moveInitialize(from: objects + index, count: 1)
      places[position] += 1
    }
    positions = []
    var start = 0
    for position in 0..<listCount {
      let size = places[position] - start
      let list = [S](count: size) { room in
        _ = room.moveInitialize(fromContentsOf: .init(start: sorted + start, count: size))
      }
      start += size
      body(position, list)
    }
    sorted.deallocate()
  }
}
