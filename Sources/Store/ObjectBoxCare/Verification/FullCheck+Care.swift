internal import CObjectBoxCare
internal import ObjectBox

/// Makes the check of a store that is opened with ``ValidateOnOpenMode/full``.
@c @implementation
func obx_care_check(_ check: UnsafeMutableRawPointer?) {
  guard let check else { return }
  let full = Unmanaged<FullCheck>.fromOpaque(check).takeUnretainedValue()
  full.result = Result {
    let run = VerificationRun(maximumFaultCount: 1, checksValues: false, quoting: .shown) { _ in
      true
    }
    let report = try PageSnapshot.withNewest(of: full.environment) { try run.report(on: $0, $1) }
    guard let report else { return "a head page is damaged" }
    return report.isSound ? nil : report.faults.first?.message ?? "a head page is damaged"
  }
}
