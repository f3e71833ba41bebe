// Stand-ins for functions of further products, as in MissingImports.swift.

/// A type of a module that the file does not import.
@available(*, unavailable)
public struct ImportObjectBoxSearch: Sendable { private init() {} }

/// A type of a module that the file does not import.
@available(*, unavailable)
public struct ImportObjectBoxGrouping: Sendable { private init() {} }

/// A type of a module that the file does not import.
@available(*, unavailable)
public struct ImportObjectBoxEncryption: Sendable { private init() {} }

/// A type of a module that the file does not import.
@available(*, unavailable)
public struct ImportObjectBoxTesting: Sendable { private init() {} }

@available(*, unavailable, message: "it needs the product and 'import ObjectBoxSearch'")
extension Property where V: StringPropertyType, R == Void {
  /// Does not compile without `import ObjectBoxSearch`.
  public func matches(_ text: String) -> PropertyQueryCondition<E, V> { fatalError() }
}

@available(*, unavailable, message: "it needs the product and 'import ObjectBoxSearch'")
extension Query {
  /// Does not compile without `import ObjectBoxSearch`.
  public func snippet<V>(
    of text: String,
    in property: Property<E, V, Void>,
    around length: ImportObjectBoxSearch,
    marking marks: (String, String)
  ) throws -> String { fatalError() }
}

@available(*, unavailable, message: "it needs the product and 'import ObjectBoxSearch'")
extension ObjectWithScore {
  /// Does not compile without `import ObjectBoxSearch`.
  public func snippet(
    of property: Any,
    around length: ImportObjectBoxSearch,
    marking marks: (String, String)
  ) throws -> String { fatalError() }
}

@available(*, unavailable, message: "it needs the product and 'import ObjectBoxSearch'")
extension QueryBuilder {
  /// Does not compile without `import ObjectBoxSearch`.
  public func fused(
    with search: QueryCondition<E>,
    k: Double = 60,
    weights: (Double, Double) = (1, 1),
    candidates: Int? = nil
  ) -> ImportObjectBoxSearch { fatalError() }
}

@available(*, unavailable, message: "it needs the product and 'import ObjectBoxGrouping'")
extension QueryBuilder {
  /// Does not compile without `import ObjectBoxGrouping`.
  public func grouped(by key: Any, _ more: Any...) -> ImportObjectBoxGrouping { fatalError() }

  /// Does not compile without `import ObjectBoxGrouping`.
  public func grouped(
    by key: ImportObjectBoxGrouping,
    _ more: ImportObjectBoxGrouping...
  ) -> ImportObjectBoxGrouping { fatalError() }
}

@available(*, unavailable, message: "it needs the product and 'import ObjectBoxGrouping'")
extension Query {
  /// Does not compile without `import ObjectBoxGrouping`.
  public func grouped(by key: Any, _ more: Any...) -> ImportObjectBoxGrouping { fatalError() }

  /// Does not compile without `import ObjectBoxGrouping`.
  public func grouped(
    by key: ImportObjectBoxGrouping,
    _ more: ImportObjectBoxGrouping...
  ) -> ImportObjectBoxGrouping { fatalError() }
}

@available(*, unavailable, message: "it needs the product and 'import ObjectBoxEncryption'")
extension Store {
  /// Does not compile without `import ObjectBoxEncryption`.
  public var isEncrypted: Bool { fatalError() }

  /// Does not compile without `import ObjectBoxEncryption`.
  public func changeEncryption(to encryption: ImportObjectBoxEncryption) throws { fatalError() }
}

@available(*, unavailable, message: "it needs the product and 'import ObjectBoxEncryption'")
extension Store.Configuration {
  /// Does not compile without `import ObjectBoxEncryption`.
  public var encryption: ImportObjectBoxEncryption? {
    get { fatalError() }
    set { fatalError() }
  }
}

@available(*, unavailable, message: "it needs the product and 'import ObjectBoxTesting'")
extension Store {
  /// Does not compile without `import ObjectBoxTesting`.
  public static func openForMigrationTest(
    _ fixture: String,
    open: (Configuration) throws -> Store
  ) throws -> ImportObjectBoxTesting { fatalError() }
}

@available(*, unavailable, message: "it needs the product and 'import ObjectBoxSync'")
extension SyncClient {
  /// Does not compile without `import ObjectBoxSync`.
  public var states: AsyncStream<SyncState> { fatalError() }

  /// Does not compile without `import ObjectBoxSync`.
  public func rejections() throws -> [Never] { fatalError() }
}
