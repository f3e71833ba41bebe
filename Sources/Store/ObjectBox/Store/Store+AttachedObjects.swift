extension Store {
  /// Returns the object that is kept under a key; makes and keeps one if there is none.
  ///
  /// The object lives as long as this store instance. May be called on any thread: if two threads
  /// make an object for one key at the same time, both get the first object. A key that holds an
  /// object of another type stops the process.
  ///
  /// - Parameters:
  ///   - key: Any name. Use each name for one type of object only.
  ///   - creationBlock: Makes the object; it may call this function again.
  /// - Returns: The same object for the same key.
  public func lazyAttachedObject<T: AnyObject>(key: String, creationBlock: () -> T) -> T {
    if let kept = attachedObjects.withLock({ $0[key] }) { return cast(kept, key) }
    // The block of the program runs without a lock.
    let made = creationBlock()
    let kept = attachedObjects.withLock { objects in
      if let earlier = objects[key] { return earlier }
      objects[key] = made
      return made
    }
    return cast(kept, key)
  }

  private func cast<T: AnyObject>(_ object: AnyObject, _ key: String) -> T {
    guard let object = object as? T else {
      preconditionFailure("'\(key)' holds a '\(type(of: object))', and was asked for a '\(T.self)'")
    }
    return object
  }
}
