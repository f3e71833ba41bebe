extension Store {
  /// Returns the object that is kept under a key, or makes it and keeps it as long as this instance lives.
  ///
  /// May be called from all threads. When two make an object for the same key at the same time, the first
  /// one is kept and both get that. A key that holds an object of another type stops the process.
  ///
  /// - Parameters:
  ///   - key: Any name that is used for one type of object only.
  ///   - creationBlock: Makes the object; it may call this function again.
  /// - Returns: The same object for the same key.
  public func lazyAttachedObject<T: AnyObject>(key: String, creationBlock: () -> T) -> T {
    if let kept = attachedObjects.withLock({ $0[key] }) { return cast(kept, key) }
    // No lock is held while the user's block runs.
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
