import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Counts what the Swift runtime allocates on one thread: instances, buffers of arrays and strings, boxes,
/// and contexts of closures. What C code takes from the system is not counted.
///
/// It uses the hook that the runtime has for instruments.
enum ObjectAllocations {
  private typealias Allocate =
    @convention(c) (
      _ metadata: UnsafeRawPointer?, _ size: Int, _ alignmentMask: Int
    ) -> UnsafeMutableRawPointer?

  private struct State {
    var thread: pthread_t
    var count = 0
    var original: Allocate
  }

  private static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
    dlsym(dlopen(nil, RTLD_NOW), name)
  }

  // Allocated once, and touched by the counting thread only, but for the immutable parts.
  private nonisolated(unsafe) static let state: UnsafeMutablePointer<State>? = {
    guard let place = symbol("_swift_allocObject") else { return nil }
    let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    state.initialize(
      to: State(thread: pthread_self(), original: place.load(as: Allocate.self))
    )
    return state
  }()

  private static let isHookedName =
    "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly"

  /// Runs a body and returns how often it allocated; nil where the runtime has no hook.
  ///
  /// One call at a time.
  static func count(_ body: () throws -> Void) rethrows -> Int? {
    guard let state, let place = symbol("_swift_allocObject"), let isHooked = symbol(isHookedName)
    else { return nil }
    state.pointee.thread = pthread_self()
    let hook: Allocate = { metadata, size, alignmentMask in
      guard let state = ObjectAllocations.state else { return nil }
      if pthread_equal(pthread_self(), state.pointee.thread) != 0 { state.pointee.count += 1 }
      return state.pointee.original(metadata, size, alignmentMask)
    }
    place.storeBytes(of: hook, as: Allocate.self)
    isHooked.storeBytes(of: true, as: Bool.self)
    defer {
      isHooked.storeBytes(of: false, as: Bool.self)
      place.storeBytes(of: state.pointee.original, as: Allocate.self)
    }
    let before = state.pointee.count
    try body()
    return state.pointee.count - before
  }
}
