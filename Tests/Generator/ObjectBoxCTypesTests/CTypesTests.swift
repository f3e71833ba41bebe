import CObjectBoxSensors
import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Entities with C types, whose bindings the build plugin made from the headers of the C target.
struct CTypesTests {
  private let folder: TemporaryDirectory
  private let store: Store

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
  }

  private func storedAndRead(_ sensor: Sensor) throws -> Sensor {
    let box = store.box(for: Sensor.self)
    let id = try box.put(sensor)
    return try #require(try box.get(id))
  }

  @Test func `numbers of C keep their extremes`() throws {
    let sensor = Sensor()
    sensor.number = .max
    sensor.alias = 7
    sensor.port = .max
    sensor.letter = .max
    sensor.offset = .min
    sensor.mask = .max
    sensor.ticks = .min
    sensor.serial = .max
    sensor.count = .max
    sensor.time = -1
    sensor.owner = .min
    sensor.flag = true
    sensor.short = .min
    sensor.level = .max
    sensor.celsius = -273.15
    sensor.ratio = 0.5
    sensor.letters = [0, 255]
    sensor.owners = [.min, .max]
    let read = try storedAndRead(sensor)
    #expect(read.number == .max)
    #expect(read.alias == 7)
    #expect(read.port == .max)
    #expect(read.letter == .max)
    #expect(read.offset == .min)
    #expect(read.mask == .max)
    #expect(read.ticks == .min)
    #expect(read.serial == .max)
    #expect(read.count == .max)
    #expect(read.time == -1)
    #expect(read.owner == .min)
    #expect(read.flag)
    #expect(read.short == .min)
    #expect(read.level == .max)
    #expect(read.celsius == -273.15)
    #expect(read.ratio == 0.5)
    #expect(read.letters == [0, 255])
    #expect(read.owners == [.min, .max])
  }

  @Test func `enums of C come back, also values that no constant has`() throws {
    let sensor = Sensor()
    sensor.state = SENSOR_BROKEN
    sensor.trend = SENSOR_FALLING
    sensor.size = sensor_size(rawValue: 99)
    sensor.wide = SENSOR_WIDE
    sensor.byte = SENSOR_BYTE_MAX
    sensor.options = sensor_options(rawValue: 3)
    sensor.key = sensor_key(rawValue: -5)
    sensor.color = SENSOR_RED
    sensor.lastState = SENSOR_ON
    sensor.mode = .busy
    sensor.side = .left
    sensor.lastSide = .right
    sensor.lastMode = .busy
    let read = try storedAndRead(sensor)
    #expect(read.state == SENSOR_BROKEN)
    #expect(read.trend == SENSOR_FALLING)
    #expect(read.size.rawValue == 99)
    #expect(read.wide.rawValue == 0x1_ffff_ffff)
    #expect(read.byte.rawValue == 255)
    #expect(read.options.rawValue == 3)
    #expect(read.key.rawValue == -5)
    #expect(read.color == SENSOR_RED)
    #expect(read.lastState == SENSOR_ON)
    #expect(read.mode == .busy)
    #expect(read.side == .left)
    #expect(read.lastSide == .right)
    #expect(read.lastMode == .busy)
  }

  @Test func `optional C types keep nil`() throws {
    let read = try storedAndRead(Sensor())
    #expect(read.level == nil)
    #expect(read.ratio == nil)
    #expect(read.lastState == nil)
    #expect(read.lastSide == nil)
    #expect(read.lastMode == nil)
  }

  @Test func `a value that a closed enum lacks becomes the default or nil`() throws {
    let sensor = Sensor()
    // Swift takes any raw value here, and makes an invalid enum of it.
    sensor.side = try #require(sensor_side(rawValue: 7))
    sensor.lastSide = sensor.side
    let read = try storedAndRead(sensor)
    #expect(read.side == .right)
    #expect(read.lastSide == nil)
  }

  @Test func `a struct with C enums round-trips`() throws {
    let box = store.box(for: Reading.self)
    let put = try box.put(
      struct: Reading(id: 0, state: SENSOR_ON, trend: SENSOR_RISING, celsius: 21.5)
    )
    #expect(try box.get(put.id) == put)
    let without = try box.put(struct: Reading(id: 0, state: SENSOR_OFF, trend: nil, celsius: 0))
    #expect(try box.get(without.id) == without)
  }

  @Test func `conditions take the number of a typedef and the raw value of an enum`() throws {
    let box = store.box(for: Sensor.self)
    for number in [sensor_id(1), 2, .max] {
      let sensor = Sensor()
      sensor.number = number
      sensor.state = number == 2 ? SENSOR_ON : SENSOR_OFF
      sensor.trend = number == 2 ? SENSOR_FALLING : SENSOR_RISING
      try box.put(sensor)
    }
    // Unsigned in C, unsigned in the order.
    #expect(try box.query { Sensor.number > 1 }.build().find().map(\.number) == [2, .max])
    #expect(try box.query { Sensor.state == SENSOR_ON.rawValue }.build().count() == 1)
    #expect(try box.query { Sensor.trend < 0 }.build().find().map(\.number) == [2])
  }

  /// Compiles only when the generator and the compiler agree on the type.
  private func same<Value>(
    _ property: Property<Sensor, Value, Void>,
    _ path: KeyPath<Sensor, Value>
  ) -> Bool { true }

  @Test func `typedefs have the types that the compiler gives them`() {
    #expect(same(Sensor.number, \.number))
    #expect(same(Sensor.alias, \.alias))
    #expect(same(Sensor.port, \.port))
    #expect(same(Sensor.letter, \.letter))
    #expect(same(Sensor.offset, \.offset))
    #expect(same(Sensor.mask, \.mask))
    #expect(same(Sensor.ticks, \.ticks))
    #expect(same(Sensor.serial, \.serial))
    #expect(same(Sensor.count, \.count))
    #expect(same(Sensor.time, \.time))
    #expect(same(Sensor.owner, \.owner))
    #expect(same(Sensor.flag, \.flag))
    #expect(same(Sensor.short, \.short))
    #expect(same(Sensor.level, \.level))
    #expect(same(Sensor.celsius, \.celsius))
    #expect(same(Sensor.ratio, \.ratio))
    #expect(same(Sensor.state, \.state.rawValue))
    #expect(same(Sensor.trend, \.trend.rawValue))
    #expect(same(Sensor.wide, \.wide.rawValue))
    #expect(same(Sensor.byte, \.byte.rawValue))
    #expect(same(Sensor.options, \.options.rawValue))
    #expect(same(Sensor.key, \.key.rawValue))
    #expect(same(Sensor.mode, \.mode.rawValue))
    #expect(same(Sensor.side, \.side.rawValue))
  }
}
