extension ResultSource {
  /// A call that reads and passes on what it found; nothing once the store is closed.
  func passing(to handler: @escaping ([E], ObjectBoxError?) -> Void) -> () -> Void {
    { [self] in
      do throws(ObjectBoxError) {
        if let objects = try read() { handler(objects, nil) }
      } catch {
        handler([], error)
      }
    }
  }

  /// A call that reads and passes on what it found; nothing once the store is closed.
  func passingContiguous(
    to handler: @escaping (ContiguousArray<E>, ObjectBoxError?) -> Void
  ) -> () -> Void {
    { [self] in
      do throws(ObjectBoxError) {
        if let objects = try readContiguous() { handler(objects, nil) }
      } catch {
        handler([], error)
      }
    }
  }
}
