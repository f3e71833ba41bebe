internal import CObjectBoxPages
internal import CObjectBoxLMDB

extension StorageImage {
  /// The parts of a version that a check covers.
  package enum VerifyScope: Sendable {
    /// The main table, the whole free list and each table's root page: microseconds to
    /// milliseconds.
    case quick
    /// Every page: about a second per GB.
    case all
  }

  /// Figures of a checked version.
  package struct Counts: Sendable {
    package var branchPages = 0
    package var leafPages = 0
    package var overflowPages = 0
    package var freePages = 0
    package var tables = 0

    /// All pages that the version uses or lists as free, with both head pages.
    package var pages: Int { 2 + branchPages + leafPages + overflowPages + freePages }
  }

  /// Checks the structure of a version; never reads bytes outside of the file.
  ///
  /// - Parameters:
  ///   - head: The head page of the version.
  ///   - scope: The parts to check.
  ///   - progress: Gets the number of pages read, every few thousand; false ends the check.
  ///   - report: Gets each finding; false ends the check.
  /// - Returns: The figures, as far as the check went.
  /// - Throws: ``StorageError`` when memory is short: it needs one bit per page of the file.
  package func verify(
    _ head: Head,
    _ scope: VerifyScope,
    progress: (Int) -> Bool = { _ in true },
    report: (StorageFinding) -> Bool
  ) throws(StorageError) -> Counts {
    var counts = obx_verify_counts()
    let result = withoutActuallyEscaping(progress) { progress in
      withoutActuallyEscaping(report) { report in
        var callbacks = Callbacks(progress: progress, report: report)
        return withUnsafeMutablePointer(to: &callbacks) { context in
          var (image, raw) = (image, head.head)
          var observer = obx_verify_observer(
            context: context,
            report: { context, finding in
              Callbacks.of(context).report(StorageFinding(finding.pointee)) ? 0 : 1
            },
            progress: { context, pages in Callbacks.of(context).progress(Int(pages)) ? 0 : 1 }
          )
          return obx_verify(
            &image,
            &raw,
            scope == .quick ? OBX_VERIFY_QUICK : OBX_VERIFY_ALL,
            &observer,
            &counts
          )
        }
      }
    }
    if result != 0 { throw StorageError(code: objectbox_out_of_memory, call: "obx_verify") }
    return Counts(
      branchPages: Int(counts.branch_pages),
      leafPages: Int(counts.leaf_pages),
      overflowPages: Int(counts.overflow_pages),
      freePages: Int(counts.free_pages),
      tables: Int(counts.tables)
    )
  }

  /// Looks for the first finding of a check.
  ///
  /// - Parameters:
  ///   - head: The head page of the version.
  ///   - scope: The parts to check.
  ///   - progress: Gets the number of checked pages, from time to time; false ends the check.
  ///   - isWanted: Chooses among the findings; others are skipped.
  /// - Returns: The finding; nil when there is none.
  /// - Throws: ``StorageError`` as `verify` does.
  package func firstFinding(
    _ head: Head,
    _ scope: VerifyScope,
    progress: (Int) -> Bool = { _ in true },
    where isWanted: (StorageFinding) -> Bool = { _ in true }
  ) throws(StorageError) -> StorageFinding? {
    var first: StorageFinding?
    _ = try verify(
      head,
      scope,
      progress: progress,
      report: { finding in
        guard isWanted(finding) else { return true }
        first = finding
        return false
      }
    )
    return first
  }

  private struct Callbacks {
    let progress: (Int) -> Bool
    let report: (StorageFinding) -> Bool

    // Points to a local variable of `verify`, which exists during the call that passes it back.
    static func of(_ context: UnsafeMutableRawPointer?) -> Self {
      guard let context else { preconditionFailure("the check was begun with a context") }
      return context.assumingMemoryBound(to: Self.self).pointee
    }
  }
}
