internal import ObjectBox
internal import ObjectBoxCommandLine
internal import ObjectBoxJSON

/// The greatest size of a store's file, and the used part of it.
///
/// Each program sets its own limit; the file does not contain it.
struct SizeLimit {
  /// The default limit of programs, in KiB.
  private static let usualKilobytes = Store.Configuration(directory: "").maxDbSizeInKByte

  static let option = CommandOption(
    "--max-size KIB",
    "greatest size of the file, as maxDbSizeInKByte of the program has it; default \(usualKilobytes), as programs "
      + "have it that set none"
  )
  /// A paragraph for the help of verbs that have the option.
  static let details = """
    used are the pages of the file that are not free. The greatest size is that of each program (maxDbSizeInKByte, \
    store.maximumSize), and not in the file: give it by --max-size
    """

  /// The limit in bytes.
  let bytes: Int
  /// The size in bytes of the pages that are not free.
  let usedBytes: Int

  /// Returns the option's limit in bytes.
  ///
  /// - Throws: ``UsageFault``.
  static func bytes(_ arguments: CommandArguments) throws -> Int {
    let size = try Verb.number(arguments, "--max-size", 16...(Int.max / 1024))
    return (size ?? Int(usualKilobytes)) * 1024
  }

  init(_ bytes: Int, _ statistics: StoreStatistics, _ pages: StorePages) {
    self.bytes = bytes
    usedBytes = (statistics.pages - pages.freePages) * statistics.pageSizeInBytes
  }

  /// The limit and the used part, such as "1.0 GiB, of which 12.5 MiB (1.2 %) are used".
  var text: String {
    let part = (Double(usedBytes) / Double(bytes) * 1000).rounded() / 10
    return "\(bytes.asByteCount), of which \(usedBytes.asByteCount) (\(part) %) are used"
  }

  /// The members of a JSON object.
  var members: [(key: String, write: (inout JSONWriter) -> Void)] {
    let (bytes, usedBytes) = (bytes, usedBytes)
    return [
      ("maximumSize", { $0.integer(bytes) }), ("usedBytes", { $0.integer(usedBytes) }),
    ]
  }
}
