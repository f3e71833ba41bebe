#if os(Linux)
  import Foundation

  /// Searches the memory of this process for secrets, outside of the maps that core dumps leave out.
  final class MemoryScan {
    /// A place where a secret was found.
    struct Place {
      let secret: Int
      let map: String
    }

    private static let partSize = 1 << 20
    private static let secretSize = 64
    /// The secrets, and behind them a part of the memory; no copy of a secret may be elsewhere.
    private let buffer: UnsafeMutableRawBufferPointer
    private var sizes: [Int] = []

    /// Takes the secrets of a file, one after the other.
    init(_ path: String, sizes: [Int]) throws {
      let size = Self.partSize + 1024
      guard
        let address = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
        address != MAP_FAILED
      else { throw TrialError("no memory for a scan") }
      buffer = UnsafeMutableRawBufferPointer(start: address, count: size)
      let file = Foundation.open(path, O_RDONLY)
      defer { Foundation.close(file) }
      for (number, size) in sizes.enumerated() {
        guard read(file, address + number * Self.secretSize, size) == size else {
          throw TrialError("no secrets in '\(path)'")
        }
      }
      self.sizes = sizes
    }

    deinit { munmap(buffer.baseAddress, buffer.count) }

    /// Passes the bytes of a secret to a body, which must not copy them to memory that stays.
    func with<T>(_ secret: Int, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
      let start = secret * Self.secretSize
      return try body(UnsafeRawBufferPointer(rebasing: buffer[start..<start + sizes[secret]]))
    }

    /// Returns the places of all secrets in memory.
    func memory() throws -> [Place] {
      let file = Foundation.open("/proc/self/mem", O_RDONLY)
      guard file >= 0 else { throw TrialError("cannot open /proc/self/mem") }
      defer { Foundation.close(file) }
      return try maps().flatMap { map in places(in: file, map.range, map.title) }
    }

    /// Returns the places of all secrets in the files below a folder.
    func files(below folder: String) -> [Place] {
      var places: [Place] = []
      for name in FileManager.default.subpaths(atPath: folder) ?? [] {
        // A link of the open store leads to its memory.
        let file = Foundation.open(folder + "/" + name, O_RDONLY | O_NOFOLLOW)
        guard file >= 0 else { continue }
        defer { Foundation.close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
        places += self.places(in: file, 0..<UInt64(status.st_size), name)
      }
      return places
    }

    private func places(in file: Int32, _ range: Range<UInt64>, _ title: String) -> [Place] {
      guard let base = buffer.baseAddress else { return [] }
      let part = base + 1024
      var places: [Place] = []
      var position = range.lowerBound
      while position < range.upperBound {
        let count = pread(
          file,
          part,
          min(Self.partSize, Int(range.upperBound - position)),
          off_t(truncatingIfNeeded: position)
        )
        if count <= 0 { break }
        for (number, size) in sizes.enumerated() {
          let secret = base + number * Self.secretSize
          let byte = Int32(secret.load(as: UInt8.self))
          var place = part
          while let found = memchr(place, byte, part + count - place) {
            place = found + 1
            guard found + size <= part + count, memcmp(found, secret, size) == 0 else { continue }
            places.append(Place(secret: number, map: title))
          }
        }
        // A secret may lie across two parts.
        if count == Self.partSize {
          position += UInt64(count - Self.secretSize)
        } else {
          position += UInt64(count)
        }
      }
      return places
    }

    /// Returns the maps that a core dump has.
    private func maps() throws -> [(range: Range<UInt64>, title: String)] {
      let text = try String(contentsOfFile: "/proc/self/smaps", encoding: .utf8)
      var maps: [(range: Range<UInt64>, title: String)] = []
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ", omittingEmptySubsequences: true)
        if line.hasPrefix("VmFlags:") {
          if words.contains("dd") || words.contains("io") { maps.removeLast() }
          continue
        }
        let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
        guard ends.count == 2, words.count >= 5 else { continue }
        maps.append((ends[0]..<ends[1], words.count > 5 ? String(words[5]) : "memory"))
      }
      let own = UInt64(UInt(bitPattern: buffer.baseAddress))
      return maps.flatMap { map -> [(range: Range<UInt64>, title: String)] in
        guard map.range.contains(own) else { return [map] }
        // The kernel joins neighbouring maps.
        return [map.range.lowerBound..<own, (own + UInt64(buffer.count))..<map.range.upperBound]
          .map { ($0, map.title) }
      }
    }
  }
#endif
