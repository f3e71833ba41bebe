// Stand-ins for types of other modules, so that the compiler names the missing import.
//
// A type of the module, of the program or of another package wins: the compiler prefers available
// declarations.

/// A type of a module that the file does not import.
@available(*, unavailable, message: "it needs the product and 'import ObjectBoxLive'")
public struct Snapshot {}

/// A type of a module that the file does not import.
@available(*, unavailable, message: "it needs the product and 'import ObjectBoxLive'")
public struct LiveStore {}

/// A type of a module that the file does not import.
@available(*, unavailable, message: "it needs the product and 'import ObjectBoxLive'")
public struct LiveObject<E> {}

/// A type of a module that the file does not import.
@available(*, unavailable, message: "it needs the product and 'import ObjectBoxLive'")
public struct LiveResults<E> {}

/// A type of a module that the file does not import.
@available(*, unavailable, message: "it needs the product and 'import ObjectBoxLive'")
public struct LiveSections<E, Key> {}

/// A type of a module that the file does not import.
@available(*, unavailable, message: "it needs the product and 'import ObjectBoxLive'")
public struct FrozenObject<E> {}

/// A type of a module that the file does not import.
@available(*, unavailable, message: "it needs the product and 'import ObjectBoxLive'")
public struct FrozenResults<E> {}

/// A type of a module that the file does not import.
@available(*, unavailable, message: "it needs the product and 'import ObjectBoxLive'")
@propertyWrapper
public struct ThreadSafe<M> {
  /// Does not compile without `import ObjectBoxLive`.
  public var wrappedValue: M

  /// Does not compile without `import ObjectBoxLive`.
  public init(wrappedValue: M) { fatalError() }
}

/// A type of a module that the file does not import.
@available(*, unavailable, message: "it needs the product and 'import ObjectBoxLive'")
public struct ThreadSafeReference<M> {}

/// A type of a module that the file does not import.
@available(*, unavailable, message: "it needs the product and 'import ObjectBoxLive'")
public struct CollectionChange<Results> {}

/// A type of a module that the file does not import.
@available(*, unavailable, message: "it needs the product and 'import ObjectBoxLive'")
public struct ObjectChange {}

/// A type of a module that the file does not import.
@available(*, unavailable, message: "it needs the product and 'import ObjectBoxDynamic'")
public struct DynamicBox {}

/// A type of a module that the file does not import.
@available(*, unavailable, message: "it needs the product and 'import ObjectBoxEncryption'")
public struct StoreEncryption {}

/// A type of a module that the file does not import.
@available(*, unavailable, message: "it needs the product and 'import ObjectBoxCluster'")
public struct Cluster {
  /// Does not compile without `import ObjectBoxCluster`.
  public init(_ address: String) { fatalError() }
}

/// A type of a module that the file does not import.
@available(*, unavailable, message: "it needs the product and 'import ObjectBoxSyncServer'")
public struct SyncServer {}
