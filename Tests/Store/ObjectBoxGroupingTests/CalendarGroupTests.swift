import Foundation
import ObjectBox
import ObjectBoxGrouping
import ObjectBoxTestSupport
import Testing

/// Groups by units of a calendar where clocks change.
struct CalendarGroupTests {
  /// Zone, unit, and the seconds since 1970 at which neighbouring stretches begin, around a change of the
  /// clock.
  ///
  /// Computed by Python's `zoneinfo`: the local date and time of each second decides its stretch; an hour also
  /// ends where the offset from UTC changes.
  private static let stretches = """
    Australia/Lord_Howe hour 1680357600 1680361200 1680363000 1680366600 1680370200
    Australia/Lord_Howe day 1680181200 1680267600 1680354000 1680442200 1680528600 1680615000
    Australia/Lord_Howe week 1679230800 1679835600 1680442200 1681047000 1681651800
    Australia/Lord_Howe quarter 1664544600 1672491600 1680267600 1688131800 1696080600
    Australia/Lord_Howe hour 1696084200 1696087800 1696089600 1696093200 1696096800
    Australia/Lord_Howe day 1695907800 1695994200 1696080600 1696165200 1696251600 1696338000
    Australia/Lord_Howe week 1694957400 1695562200 1696165200 1696770000 1697374800
    Australia/Lord_Howe quarter 1680267600 1688131800 1696080600 1704027600 1711890000
    Asia/Kathmandu hour 504898200 504901800 504904500 504908100 504911700
    Asia/Kathmandu day 504729000 504815400 504901800 504987300 505073700 505160100
    Asia/Kathmandu week 504124200 504729000 505332900 505937700
    Asia/Kathmandu quarter 489004200 496953000 504901800 512676900 520539300
    Pacific/Apia hour 1325235600 1325239200 1325242800 1325246400 1325250000
    Pacific/Apia day 1325066400 1325152800 1325239200 1325325600 1325412000 1325498400
    Pacific/Apia week 1324288800 1324893600 1325412000 1326016800
    Pacific/Apia quarter 1309518000 1317463200 1325325600 1333188000 1341054000
    America/Asuncion hour 1506826800 1506830400 1506834000 1506837600 1506841200
    America/Asuncion day 1506657600 1506744000 1506830400 1506913200 1506999600 1507086000
    America/Asuncion week 1505707200 1506312000 1506913200 1507518000 1508122800
    America/Asuncion quarter 1491019200 1498881600 1506830400 1514775600 1522555200
    Asia/Amman hour 1459458000 1459461600 1459465200 1459468800 1459472400
    Asia/Amman day 1459288800 1459375200 1459461600 1459544400 1459630800 1459717200
    Asia/Amman week 1458511200 1459116000 1459717200 1460322000
    Asia/Amman quarter 1443646800 1451599200 1459461600 1467320400 1475269200
    America/Havana hour 1333252800 1333256400 1333260000 1333263600 1333267200
    America/Havana day 1333083600 1333170000 1333256400 1333339200 1333425600 1333512000
    America/Havana week 1332133200 1332738000 1333339200 1333944000 1334548800
    America/Havana quarter 1317441600 1325394000 1333256400 1341115200 1349064000
    America/Havana hour 1352001600 1352005200 1352008800 1352012400 1352016000
    America/Havana day 1351828800 1351915200 1352001600 1352091600 1352178000 1352264400
    America/Havana week 1350878400 1351483200 1352091600 1352696400 1353301200
    America/Havana quarter 1341115200 1349064000 1357016400 1364788800
    Asia/Damascus hour 1301605200 1301608800 1301612400 1301616000 1301619600
    Asia/Damascus day 1301436000 1301522400 1301608800 1301691600 1301778000 1301864400
    Asia/Damascus week 1300658400 1301263200 1301864400 1302469200
    Asia/Damascus quarter 1285880400 1293832800 1301608800 1309467600 1317416400
    Asia/Gaza hour 1458943200 1458946800 1458950400 1458954000 1458957600
    Asia/Gaza day 1458770400 1458856800 1458943200 1459026000 1459112400 1459198800
    Asia/Gaza week 1457906400 1458511200 1459112400 1459717200
    Asia/Gaza quarter 1443646800 1451599200 1459458000 1467320400 1475269200
    Asia/Gaza hour 1301605200 1301608800 1301608860 1301612400 1301616000
    Asia/Gaza day 1301436000 1301522400 1301608800 1301691600 1301778000 1301864400
    Asia/Gaza week 1300658400 1301263200 1301864400 1302469200
    Asia/Gaza quarter 1285884000 1293832800 1301608800 1309467600 1317420000
    America/New_York hour 1699160400 1699164000 1699167600 1699171200 1699174800
    America/New_York day 1698984000 1699070400 1699156800 1699246800 1699333200 1699419600
    America/New_York week 1698033600 1698638400 1699246800 1699851600 1700456400
    America/New_York quarter 1688184000 1696132800 1704085200 1711944000
    Africa/Monrovia hour 63585870 63589470 63593070 63594000 63597600
    Europe/London hour 57718800 57722400 57726000 57729600 57733200
    Europe/London day 57538800 57625200 57711600 57801600 57888000 57974400
    Europe/London week 56588400 57193200 57801600 58406400 59011200
    Europe/London quarter 47170800 55119600 63072000 70930800
    """

  /// Zone, unit, and seconds since 1970 with the beginnings of their stretches, where a clock is set back
  /// over midnight; computed in the same way.
  private static let returns = """
    America/St_Johns day 1161999060:1161916200 1162088999:1162002600 1162089000:1162089000 1162089059:1162089000 \
    1162089060:1162002600 1162092599:1162002600 1162092600:1162089000 1162179060:1162179000
    America/St_Johns day 1256952660:1256869800 1257042599:1256956200 1257042600:1257042600 1257042659:1257042600 \
    1257042660:1256956200 1257046199:1256956200 1257046200:1257042600 1257132660:1257132600
    America/St_Johns month 1256952660:1254364200 1257042599:1254364200 1257042600:1257042600 1257042659:1257042600 \
    1257042660:1254364200 1257046199:1254364200 1257046200:1257042600 1257132660:1257042600
    America/Goose_Bay day 1289008860:1288926000 1289098799:1289012400 1289098800:1289098800 1289098859:1289098800 \
    1289098860:1289012400 1289102399:1289012400 1289102400:1289098800 1289188860:1289188800
    Pacific/Kwajalein day -8078400:-8161200 -7988461:-8074800 -7988400:-8074800 -7984861:-8074800 -7898400:-7905600
    """

  private let stored: SaleStore
  private var sales: Box<Sale> { stored.sales }

  init() throws { stored = try SaleStore() }

  @Test(arguments: 1...2)
  func `each date is in the stretch of its local time, in whatever order objects come`(
    seed: Int
  ) throws {
    var random = SplitMix(seed: seed)
    for line in Self.stretches.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      let zone = try #require(TimeZone(identifier: words[0]))
      let unit = try #require(CalendarUnit(rawValue: words[1]))
      let starts = words.dropFirst(2).compactMap { Int($0) }
      var dates: [(date: Date, precise: Date)] = []
      for (start, end) in zip(starts, starts.dropFirst()) {
        for seconds in [start, start + 1, (start + end) / 2, end - 1] {
          let date = Date(timeIntervalSince1970: Double(seconds))
          dates.append((date, date))
        }
        let next = Date(timeIntervalSince1970: Double(end))
        // The last date that each property can tell from the next stretch.
        dates.append(
          (
            next - 0.001,
            Date(timeIntervalSinceReferenceDate: next.timeIntervalSinceReferenceDate.nextDown)
          )
        )
      }
      dates.shuffle(using: &random)
      try sales.removeAll()
      try sales.put(
        dates.map { date, precise in
          let sale = Sale(kind: 0)
          (sale.date, sale.shipped) = (date, precise)
          return sale
        }
      )
      let expected = starts.dropLast().map { [$0, 5] }
      let ofDates = try sales.query().grouped(by: .by(Sale.date, unit, in: zone)).select(.count)
        .find()
      #expect(
        ofDates.map { [Int($0.key.timeIntervalSince1970), $0.values] } == expected,
        "\(line)"
      )
      let ofPrecise = try sales.query().grouped(by: .by(Sale.shipped, unit, in: zone))
        .select(.count).find()
      #expect(
        ofPrecise.map { [Int(($0.key ?? .distantPast).timeIntervalSince1970), $0.values] }
          == expected,
        "\(line)"
      )
    }
  }

  @Test(arguments: 1...2)
  func `a stretch to which the clock returns is one group`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    for line in Self.returns.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      let zone = try #require(TimeZone(identifier: words[0]))
      let unit = try #require(CalendarUnit(rawValue: words[1]))
      let pairs = words.dropFirst(2).map { $0.split(separator: ":").compactMap { Int($0) } }
      let dates = pairs.map { $0[0] }.shuffled(using: &random)
      try sales.removeAll()
      try sales.put(
        dates.map { seconds in
          let sale = Sale(kind: 0)
          sale.date = Date(timeIntervalSince1970: Double(seconds))
          return sale
        }
      )
      let found = try sales.query().grouped(by: .by(Sale.date, unit, in: zone)).select(.count)
        .find()
      let expected = Dictionary(grouping: pairs) { $0[1] }.map { [$0.key, $0.value.count] }
      #expect(
        found.map { [Int($0.key.timeIntervalSince1970), $0.values] }
          == expected.sorted { $0[0] < $1[0] },
        "\(line)"
      )
    }
  }

  @Test func `a stretch that begins before the first instant of a property is an error`() throws {
    let first = Sale(kind: 0)
    first.shipped = Date(timeIntervalSince1970: Double(Int64.min) / 1e9 + 1)
    try sales.put(first)
    #expect(throws: ObjectBoxError.self) {
      try sales.query().grouped(by: .by(Sale.shipped, .year, in: .gmt)).select(.count).find()
    }
    let last = Sale(kind: 1)
    last.shipped = Date(timeIntervalSince1970: Double(Int64.max) / 1e9 - 1)
    try sales.put(last)
    let groups = try sales.query { Sale.kind == 1 }.grouped(by: .by(Sale.shipped, .year, in: .gmt))
      .select(.count).find()
    #expect(groups.map(\.values) == [1])
  }
}
