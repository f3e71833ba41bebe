#if os(Linux)
  import Foundation
  import ObjectBox
  import ObjectBoxEncryption

  /// Uses an encrypted store as one of several programs, and searches its own memory, the store's folder and temporary
  /// files for the key and for texts of the store.
  enum DumpJob {
    /// Whether pages of LMDB may lie in memory that core dumps have, as Documentation/Encryption.md says.
    ///
    /// Set it to false when no page does, and the sentence there is gone.
    static let mayHavePages = true

    /// The programs, in their order: each one is a process.
    enum Program: Int, CaseIterable {
      /// Stores objects with the first text.
      case filling
      /// Opens the store, and counts objects.
      case reading
      /// Puts objects with the second text between those with the first, which it never reads.
      case writing
    }

    private static let key = 0
    private static let first = 1
    private static let second = 2
    /// The bytes of the key and of both texts.
    static let sizes = [32, 24, 24]

    static func run(_ arguments: inout [String]) throws {
      guard let program = Int(arguments[1]).flatMap(Program.init) else {
        throw TrialError("no program '\(arguments[1])'")
      }
      let scan = try MemoryScan(arguments[0] + "/secrets", sizes: sizes)
      try proveSight(scan, arguments[0])
      tell("c \(program.rawValue) \(program)")
      tell("count programs")
      let store = try open(arguments[0] + "/store", scan)
      switch program {
      case .filling:
        for number in 0..<40 {
          try store.box(for: Item.self).put(items(first, number * 25..<(number + 1) * 25, scan))
        }
      case .reading:
        let box = store.box(for: Item.self)
        _ = try box.query { Item.worker == 1 && Item.step > 3 }.build().count()
        _ = try box.count()
      case .writing:
        for number in 0..<20 {
          try store.box(for: Item.self).put(items(second, number..<number + 1, scan))
          _ = try store.box(for: Item.self).query { Item.step == 4 }.build().count()
        }
      }
      try look(scan, arguments[0], program, "with an open store")
      store.close()
      try look(scan, arguments[0], program, "with a closed store")
    }

    /// Opens the store, and leaves no copy of the key behind that it has made itself.
    private static func open(_ path: String, _ scan: MemoryScan) throws -> Store {
      var bytes = scan.with(key) { [UInt8]($0) }
      let encryption = StoreEncryption.key(bytes)
      bytes.withUnsafeMutableBytes { erase($0) }
      return try TrialStore.open(path) { $0.encryption = encryption }
    }

    private static func erase(_ bytes: UnsafeMutableRawBufferPointer) {
      guard let address = bytes.baseAddress else { return }
      explicit_bzero(address, bytes.count)
    }

    private static func items(_ text: Int, _ numbers: Range<Int>, _ scan: MemoryScan) -> [Item] {
      numbers.map { number in
        let item = Item()
        item.key = "\(text)/\(number)"
        item.worker = Int32(text)
        item.step = Int64(number)
        item.text = "\(number) " + scan.with(text) { String(decoding: $0, as: UTF8.self) }
        return item
      }
    }

    /// Reports what is found, by the promises of Documentation/Encryption.md.
    private static func look(
      _ scan: MemoryScan,
      _ folder: String,
      _ program: Program,
      _ time: String
    ) throws {
      for place in scan.files(below: folder) where place.map != "secrets" {
        tell(
          "finding a \(place.secret == key ? "key" : "text") in a file|\(place.map), \(program) \(time)"
        )
      }
      for place in try scan.memory() {
        switch (place.secret, program) {
        case (key, _): tell("finding a key in memory|\(place.map), \(program) \(time)")
        case (first, .reading):
          tell("finding a text in the memory of a reader|\(place.map), \(time)")
        case (first, .writing):
          // The program has never had this text, so it is a page, or a remain of one.
          tell("count texts in pages \(time)")
          if !mayHavePages { tell("finding a page in memory|\(place.map), \(time)") }
        default: tell("count texts of the program's own objects")
        }
      }
    }

    /// Reports a finding unless the scan sees what lies in memory, in a map of its own and in a file.
    private static func proveSight(_ scan: MemoryScan, _ folder: String) throws {
      for secret in sizes.indices {
        let size = sizes[secret]
        let before = try scan.memory().count { $0.secret == secret }
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        defer { copy.deallocate() }
        scan.with(secret) { copy.copyMemory(from: $0) }
        let path = folder + "/planted"
        try Data(copy).write(to: URL(fileURLWithPath: path))
        let found = try scan.memory().count { $0.secret == secret }
        let inFiles = scan.files(below: folder).count { $0.secret == secret && $0.map == "planted" }
        try FileManager.default.removeItem(atPath: path)
        erase(copy)
        if before > 0 || found == 0 || inFiles == 0 {
          tell(
            "finding the trial is blind|\(before) before, \(found) in memory, \(inFiles) in files"
          )
        }
      }
    }
  }
#endif
