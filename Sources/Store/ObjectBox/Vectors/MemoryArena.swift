/// Memory that is allocated piece by piece and freed at once.
final class MemoryArena {
  private static let largestChunk = 1 << 20

  private var chunks: [UnsafeMutableRawPointer] = []
  private var next: UnsafeMutableRawPointer?
  private var room = 0
  private var chunkSize = 1 << 14
  /// Total size of its chunks in bytes.
  private(set) var byteCount = 0

  deinit {
    for chunk in chunks { chunk.deallocate() }
  }

  /// Returns memory with an alignment of 16, which lives as long as the arena.
  func allocate(byteCount size: Int) -> UnsafeMutableRawPointer {
    let size = (size + 15) & ~15
    if size > room || next == nil { addChunk(atLeast: size) }
    guard let start = next else { preconditionFailure("an arena has no chunk") }
    next = start + size
    room -= size
    return start
  }

  private func addChunk(atLeast size: Int) {
    let bytes = max(size, chunkSize)
    let chunk = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
    chunks.append(chunk)
    next = chunk
    room = bytes
    byteCount += bytes
    chunkSize = min(Self.largestChunk, chunkSize * 2)
  }
}
