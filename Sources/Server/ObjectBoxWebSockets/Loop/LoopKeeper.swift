/// Ends a loop when its last reference is released.
final class LoopKeeper: Sendable {
  let loop: ServiceLoop

  init(_ loop: ServiceLoop) { self.loop = loop }

  deinit { loop.post(.stop) }
}
