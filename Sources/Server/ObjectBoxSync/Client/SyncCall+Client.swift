internal import CObjectBoxSync
internal import ObjectBox

@c @implementation
func obx_sync_answer(_ call: UnsafeMutableRawPointer?) {
  guard let call else { return }
  let wanted = Unmanaged<SyncCall>.fromOpaque(call).takeUnretainedValue()
  wanted.result = Result {
    switch wanted.kind {
    case .makeClient(let configuration as Sync.Configuration):
      try StoreSyncClient(configuration)
    case .makeClient: nil
    case .findClient(let store): StoreSyncClient.current(of: store)
    case .storeDidOpen(let store): try continueCapture(of: store)
    }
  }
}

/// Continues to queue the changes of a store that was synchronized before, so that writes before the program creates a
/// client are sent too.
private func continueCapture(of store: Store) throws -> AnyObject? {
  if try SyncedStore.wasSynchronized(store) { _ = try SyncedStore.capture(of: store) }
  return nil
}
