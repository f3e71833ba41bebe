import Dispatch
import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxSearch
import Testing

/// The index follows every way to change objects.
struct FullTextIndexTests {
  @Test func `puts, updates and removals change what is found`() throws {
    let pages = try PageStore()
    let page = Page("first words")
    try pages.box.put(page)
    #expect(try pages.ids(matching: "words") == [1])
    page.text = "second text"
    try pages.box.put(page)
    #expect(try pages.ids(matching: "words") == [])
    #expect(try pages.ids(matching: "second") == [1])
    page.stars = 3
    try pages.box.put(page)
    #expect(try pages.ids(matching: "text") == [1])
    page.text = nil
    try pages.box.put(page)
    #expect(try pages.ids(matching: "text") == [])
    try pages.box.put(Page("text"))
    try pages.box.remove(2)
    #expect(try pages.ids(matching: "text") == [])
    try pages.box.put([Page("text"), Page("text")])
    try pages.box.removeAll()
    #expect(try pages.ids(matching: "text") == [])
    #expect(try pages.faults() == [])
    try pages.box.put(Page("text"))
    #expect(try pages.ids(matching: "text").count == 1)
  }

  @Test func `a transaction finds what it has written, and a rollback forgets it`() throws {
    struct Failure: Error {}
    let pages = try PageStore()
    try pages.box.put(Page("kept words"))
    #expect(throws: Failure.self) {
      try pages.store.runInTransaction {
        try pages.box.put(Page("new words"))
        #expect(try pages.ids(matching: "words") == [1, 2])
        try pages.box.remove(1)
        #expect(try pages.ids(matching: "words") == [2])
        throw Failure()
      }
    }
    #expect(try pages.ids(matching: "words") == [1])
    #expect(try pages.faults() == [])
  }

  @Test func `an undone operation leaves the words that were written before it`() throws {
    let pages = try PageStore()
    try pages.store.write { transaction in
      let first = Page("first")
      try transaction.put(first)
      #expect(throws: ObjectBoxError.self) {
        try transaction.put([Page("undone"), first], mode: .insert)
      }
      try transaction.put(Page("last"))
    }
    #expect(try pages.ids(matching: "first") == [1])
    #expect(try pages.ids(matching: "undone") == [])
    #expect(try pages.ids(matching: "last").count == 1)
    #expect(try pages.faults() == [])
  }

  @Test func `the index is in the file`() throws {
    let pages = try PageStore()
    try pages.box.put(["one two", "two three"].map { Page($0) })
    try pages.reopen()
    #expect(try pages.ids(matching: "two") == [1, 2])
    #expect(try pages.faults() == [])
  }

  @Test func `a store without an index gains it at opening, and loses it`() throws {
    let pages = try PageStore(PageIndexes(hasText: false))
    try pages.box.put((1...500).map { Page("word\($0 % 7) other", stars: Int32($0 % 5)) })
    try pages.reopen()
    #expect(try pages.ids(matching: "word3").count == 72)
    #expect(try pages.faults() == [])
    try pages.reopen(PageIndexes(hasText: false))
    #expect(throws: ObjectBoxError.self) { try pages.ids(matching: "word3") }
    try pages.reopen()
    #expect(try pages.ids(matching: "word3").count == 72)
  }

  @Test func `other settings build the index anew`() throws {
    let pages = try PageStore()
    try pages.box.put([Page("concert"), Page("concord")])
    try pages.reopen(PageIndexes(prefixLengths: [3], titleWeight: 2))
    #expect(try pages.ids(matching: "con*") == [1, 2])
    #expect(try pages.box.query { Page.words.matches("concert") }.build().findIds() == [1])
    #expect(try pages.faults() == [])
  }

  @Test func `only a store that has an index with a language needs the library of stemmers`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      setenv("OBJECTBOX_WITHOUT_LIBSTEMMER", "1", 1)
      let pages = try PageStore()
      try pages.box.put(Page("running words"))
      do {
        try pages.reopen(PageIndexes(language: "en"))
        Issue.record("the store was opened")
      } catch let error as ObjectBoxError {
        #expect("\(error)".contains("'text'") && "\(error)".contains("libstemmer0d"), "\(error)")
      }
      try pages.reopen()
      #expect(try pages.ids(matching: "running") == [1])
    }
  }

  @Test func `a read version keeps its words while others are written`() throws {
    let pages = try PageStore()
    try pages.box.put(Page("old words"))
    try pages.store.runInReadOnlyTransaction { () throws in
      #expect(try pages.ids(matching: "words") == [1])
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread { [store = pages.store] in
        do { try store.box(for: Page.self).put(Page("new words")) } catch { Issue.record(error) }
        isDone.signal()
      }
      isDone.wait()
      #expect(try pages.ids(matching: "words") == [1])
    }
    #expect(try pages.ids(matching: "words") == [1, 2])
  }

  @Test func `random histories equal a search of all texts`() throws {
    var random = SystemRandomNumberGenerator()
    let pages = try PageStore(PageIndexes(prefixLengths: [2], titleWeight: 2))
    let words = ["aa", "ab", "ba", "bb", "abc", "caa", "cab"]
    var texts: [UInt64: String] = [:]
    func text() -> String {
      (0..<Int.random(in: 0...6, using: &random)).map { _ in
        words.randomElement(using: &random) ?? ""
      }.joined(separator: " ")
    }
    for round in 0..<60 {
      try pages.store.runInTransaction {
        for _ in 0..<Int.random(in: 1...12, using: &random) {
          if let id = texts.keys.randomElement(using: &random), Bool.random(using: &random) {
            if Bool.random(using: &random) {
              try pages.box.remove(EntityId<Page>(id))
              texts[id] = nil
            } else {
              let page = Page(text())
              page.id = id
              try pages.box.put(page)
              texts[id] = page.text
            }
          } else {
            let page = Page(text())
            try pages.box.put(page)
            texts[page.id] = page.text
          }
        }
      }
      if round % 20 == 19 {
        try pages.reopen(PageIndexes(prefixLengths: [2], titleWeight: 2))
      }
      for word in words {
        let expected = texts.filter { $0.value.split(separator: " ").contains(Substring(word)) }
          .keys
        #expect(try pages.ids(matching: word) == expected.sorted())
      }
      let expected = texts.filter { text in
        text.value.split(separator: " ").contains { $0.hasPrefix("ab") }
      }.keys
      #expect(try pages.ids(matching: "ab*") == expected.sorted())
    }
    #expect(try pages.faults() == [])
  }
}
