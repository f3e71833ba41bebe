internal import ObjectBoxStorage

extension Store {
  private static let currentVersion = Guarded("5.3.0")

  /// The version of ObjectBox Swift whose sources compile against this library.
  ///
  /// Programs may set it, to show a version of their own in ``versionAll``.
  public static var version: String {
    get { currentVersion.copy }
    set { currentVersion.withLock { $0 = newValue } }
  }

  /// The version of this library.
  public static var versionLib: String { ProductVersion.text }

  /// The name and version of the storage engine, such as `LMDB 0.9.24`.
  public static var versionCore: String { StorageEnvironment.libraryVersion }

  /// All three versions, such as `5.3.0 (lib: 0.1.0, core: LMDB 0.9.24)`.
  public static var versionAll: String { "\(version) (lib: \(versionLib), core: \(versionCore))" }

  /// The name of the product and ``versionAll``.
  public static var versionFullInfo: String { "ObjectBox Swift \(versionAll)" }
}
