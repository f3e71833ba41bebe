internal import CObjectBoxLMDB
internal import CObjectBoxPages
internal import Foundation
internal import Synchronization

extension StorageEnvironment {
  /// The size of a map if the process has enough addresses: they cost nothing, and the file can
  /// grow in the map.
  package static let usualMapSizeInBytes = 1 << 40

  /// Returns the size for a store's map.
  ///
  /// - Parameters:
  ///   - limit: The limit of the store in bytes.
  ///   - usual: The size if the process has enough addresses and the limit is not larger.
  ///   - probes: Whether to probe for free addresses, which takes about as long as opening a file
  ///     three times.
  /// - Returns: The usual size, or less if the process has too few addresses; at least the limit.
  package static func mapSize(
    limitInBytes limit: Int,
    usual: Int = usualMapSizeInBytes,
    probes: Bool = true
  ) -> Int {
    let pageSize = UInt64(pageSizeOfSystem)
    let removals = UInt64(WriteRoom.removalLimit(of: UInt(limit) / UInt(pageSize)))
    let both = removals.multipliedReportingOverflow(by: pageSize)
    let most = both.overflow || both.partialValue > Int.max / 2 ? UInt64(limit) : both.partialValue
    let size = obx_address_space(UInt64(usual), most, probes ? 1 : 0)
    let fits = !probes || size > most || obx_addresses_are_free(size) != 0
    let whole = 65536
    return (Int(fits ? size : UInt64(limit)) + whole - 1) / whole * whole
  }

  /// The size of all open environments' maps, in bytes; the readers' maps, equally large, come on
  /// top.
  static let mappedBytes = Atomic<Int>(0)
  /// From this sum on, stores get small maps: usual systems give a process addresses for 128 TiB,
  /// and other uses need some.
  private static let generousBytes = 32 << 40
  private static let smallMapSizeInBytes = 16 << 30

  /// Returns the size of the map that an environment asks for, or less if the process has many
  /// environments open.
  static func modestMapSize(_ options: Options) -> Int {
    guard let limit = options.limitInBytes,
      mappedBytes.load(ordering: .relaxed) >= generousBytes
    else { return options.mapSizeInBytes }
    let small = mapSize(limitInBytes: limit, usual: smallMapSizeInBytes, probes: false)
    return min(options.mapSizeInBytes, small)
  }

  /// Runs a body that maps a file; tries smaller maps when the process has too few addresses.
  ///
  /// - Parameters:
  ///   - options: The options; sets the map size to a size that fits.
  ///   - body: Leaves nothing open when it throws.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body.
  static func withFittingMap<T>(
    _ options: inout Options,
    _ body: (Options) throws(StorageError) -> T
  ) throws(StorageError) -> T {
    while true {
      do { return try body(options) } catch {
        // Some systems report an invalid size.
        guard [ENOMEM, EINVAL].contains(error.code), let limit = options.limitInBytes,
          options.mapSizeInBytes > limit
        else { throw error }
        // Smaller each time: other stores take and free addresses meanwhile.
        let size = min(mapSize(limitInBytes: limit), options.mapSizeInBytes / 4)
        options.mapSizeInBytes = max(size, limit)
      }
    }
  }

  private static var pageSizeOfSystem: Int { max(4096, sysconf(Int32(_SC_PAGESIZE))) }

  /// Returns a size in whole pages; for nil the greatest possible number.
  static func pageCount(_ bytes: Int?, in environment: OpaquePointer) -> UInt {
    guard let bytes, let size = try? OpenEnvironment.file(of: environment).1, size > 0 else {
      return .max
    }
    return UInt(max(0, bytes)) / UInt(size)
  }

  /// Sets the size in bytes to which puts may grow the file.
  ///
  /// Any thread may call it; an open write transaction reads it when it reaches the former limit.
  package func setLimit(inBytes bytes: Int) {
    // A store that is no longer open has no limit.
    guard let pages = try? opened.use({ Self.pageCount(bytes, in: $0) }) else { return }
    room.limit.store(pages, ordering: .relaxed)
  }

  /// A version that a reader pins, so that pages freed by later commits wait.
  static func heldVersion(_ handle: OpaquePointer) throws(StorageError) -> ReaderSlot? {
    let newest = try information(handle).lastCommit
    return try readerSlots(handle)
      .filter { ($0.version ?? newest) < newest }
      .min { ($0.version ?? newest) < ($1.version ?? newest) }
  }

  /// The use of the file, at the newest commit.
  package struct Room: Sendable {
    package var pageSizeInBytes: Int
    /// The number of pages of the file.
    package var pages: Int
    /// The number of pages that no version uses.
    package var freePages: Int
    /// The number of pages that become free when no reader pins an older version.
    package var waitingPages: Int
    /// The reader of the oldest version; nil when all read the newest.
    package var holder: ReaderSlot?
    /// The bytes by which the file can grow before the disk is full; nil when unknown.
    package var diskBytes: Int?
  }

  /// Returns the use of the file; reads the free list.
  package func roomInFile() throws(StorageError) -> Room {
    let holder = try opened.use(Self.heldVersion)
    let information = try information()
    let oldest = holder?.version ?? information.lastCommit
    let reading = try beginRead()
    defer { reading.abort() }
    var (free, waiting) = (0, 0)
    try reading.forEachFreeList { version, count in
      if holder != nil, version >= oldest { waiting += count } else { free += count }
    }
    return Room(
      pageSizeInBytes: information.pageSizeInBytes,
      pages: information.pageCount,
      freePages: free,
      waitingPages: waiting,
      holder: holder,
      diskBytes: availableDiskBytes
    )
  }

  /// The bytes that the file's disk has left for this user; nil when unknown.
  package var availableDiskBytes: Int? {
    try? opened.use { handle in
      var descriptor: mdb_filehandle_t = -1
      var status = statvfs()
      guard mdb_env_get_fd(handle, &descriptor) == MDB_SUCCESS, fstatvfs(descriptor, &status) == 0
      else { return nil }
      return Self.availableBytes(status)
    }
  }

  /// The bytes that a folder's disk has left for this user; nil when unknown.
  package static func availableDiskBytes(at folder: String) -> Int? {
    var status = statvfs()
    return statvfs(folder, &status) == 0 ? availableBytes(status) : nil
  }

  private static func availableBytes(_ status: statvfs) -> Int {
    let (bytes, isOver) = UInt64(status.f_bavail).multipliedReportingOverflow(
      by: UInt64(status.f_frsize)
    )
    return isOver ? .max : Int(clamping: bytes)
  }

  /// Replaces the map by one with room for the current file; no transaction may be open.
  ///
  /// - Returns: False when the process has too few addresses for it.
  /// - Throws: ``StorageError``; the environment is then unusable.
  func growMap() throws(StorageError) -> Bool {
    try opened.use { (handle) throws(StorageError) in
      var environment = MDB_envinfo()
      try check(mdb_env_info(handle, &environment), calling: "mdb_env_info")
      let pageSize = try Self.information(handle).pageSizeInBytes
      // A damaged head page may state any number.
      let pages = UInt(bitPattern: environment.me_last_pgno)
      guard pages < UInt(Int.max / 4 / pageSize) else { return false }
      let needed = (Int(pages) + 1) * pageSize
      // Another thread may have replaced it.
      guard needed > environment.me_mapsize else { return true }
      let size = Self.mapSize(limitInBytes: needed)
      guard obx_addresses_are_free(UInt64(size)) != 0 else { return false }
      try check(mdb_env_set_mapsize(handle, size), calling: "mdb_env_set_mapsize")
      opened.mirrored?.mirror.didMap()
      return true
    }
  }
}
