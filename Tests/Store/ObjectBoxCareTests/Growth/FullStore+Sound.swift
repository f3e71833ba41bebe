import ObjectBoxCare
import ObjectBoxRuntimeTestSupport
import Testing

extension FullStore {
  func expectSound() throws {
    #expect(try store.verify().faults == [])
  }
}
