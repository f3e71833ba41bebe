import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport

/// All pages of a query.
extension GrowthRow {
  static var pages: [GrowthRow] {
    [
      pages("pages by ID") { _, _ in
      } query: {
        $0.query()
      },
      pages("pages by an index, equal values") {
        $1.number = 7
      } query: {
        $0.query().ordered(by: Sample.number)
      },
      pages("pages by an index, many nulls") {
        $1.number = $0 % 50 == 0 ? 7 : nil
      } query: {
        $0.query().ordered(by: Sample.number)
      },
      pages("pages by an index, many nulls last") {
        $1.number = $0 % 50 == 0 ? 7 : nil
      } query: {
        $0.query().ordered(by: Sample.number, flags: [.descending, .nullsLast])
      },
      pages("pages by an index of texts, equal values") {
        $1.text = "text"
      } query: {
        $0.query().ordered(by: Sample.text, flags: .caseSensitive)
      },
      pages("pages of some objects by an index, equal values") {
        $1.number = 7
        $1.size = UInt32($0 % 2)
      } query: {
        $0.query { Sample.size == 0 }.ordered(by: Sample.number)
      },
    ]
  }

  private static func pages(
    _ name: String,
    fill: @escaping (Int, Sample) -> Void,
    query: @escaping (Box<Sample>) -> QueryBuilder<Sample>
  ) -> GrowthRow {
    GrowthRow(name, .linear, size: 250) { count, measure in
      let store = try Samples.store(count) { fill($0, $1) }
      let query = try query(store.samples).build()
      let expected = try query.count()
      try measure {
        var found = 0
        var cursor: PageCursor?
        repeat {
          let page = try query.find(after: cursor, limit: 20)
          found += page.objects.count
          cursor = page.next
        } while cursor != nil
        try expect(found == expected)
      }
    }
  }
}
