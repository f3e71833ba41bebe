public import ObjectBox

extension Store {
  /// Opens a copy of a kept store of an older model as the present program would open it.
  ///
  /// The copy is a new folder in the folder for temporary files; the fixture stays as it is. With
  /// generated code:
  ///
  ///     let test = try Store.openForMigrationTest("Fixtures/version1") {
  ///       try Store(configuration: $0)
  ///     }
  ///     let person = try test.store.box(for: Person.self).get(1)
  ///
  /// - Parameters:
  ///   - fixture: The directory of a store, or the path of its `data.mdb`. No process may have it
  ///     open.
  ///   - open: Opens the store with the program's model. It gets the options with the directory of
  ///     the copy, and may change the other options.
  /// - Returns: The open store, and what opening it has changed.
  /// - Throws: `ObjectBoxError.storageGeneral(message:)` when there is no store at the path or it
  ///   cannot be copied; other cases when the file is damaged; the error of `open`. The copy is
  ///   removed then.
  /// - Complexity: O(size of the file), and the cost of the upgrade.
  public static func openForMigrationTest(
    _ fixture: String,
    open: (Configuration) throws -> Store
  ) throws -> MigrationTest {
    let copy = try StoreCopy(of: fixture)
    do {
      let before = try StoreContents(of: copy)
      let store = try open(copy.configuration)
      return MigrationTest(
        store: store,
        changes: MigrationChange.between(before, store.file.schema),
        copy: copy
      )
    } catch {
      copy.remove()
      throw error
    }
  }
}
