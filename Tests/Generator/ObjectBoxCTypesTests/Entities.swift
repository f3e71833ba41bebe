import CObjectBoxSensors
import ObjectBox

/// A class with a property of each kind of C type.
// objectbox: entity
final class Sensor {
  var id: Id = 0
  // objectbox: index
  var number: sensor_id = 0
  var alias: sensor_alias = 0
  var port: sensor_port = 0
  var letter: sensor_letter = 0
  var offset: sensor_offset = 0
  var mask: sensor_mask = 0
  var ticks: sensor_ticks = 0
  var serial: sensor_serial = 0
  var count: sensor_count = 0
  var time: sensor_time = 0
  var owner: sensor_owner = 0
  var flag: sensor_flag = false
  var short: sensor_short = 0
  var level: sensor_level?
  var celsius: sensor_celsius = 0
  var ratio: sensor_ratio?
  var letters: [sensor_port] = []
  var owners: [sensor_owner] = []
  // objectbox: index
  var state: sensor_state = SENSOR_OFF
  var trend: sensor_trend = SENSOR_STEADY
  var size: sensor_size = SENSOR_SMALL
  var wide: sensor_wide = SENSOR_WIDE
  var byte: sensor_byte = SENSOR_BYTE_ZERO
  var options: sensor_options = []
  var key: sensor_key = sensor_key(rawValue: 0)
  var color: SensorColor = SENSOR_RED
  var lastState: sensor_state?
  // objectbox: convert = { "default": ".idle" }
  var mode: sensor_mode = .idle
  // objectbox: convert = { "default": ".right" }
  var side: sensor_side = .left
  var lastSide: sensor_side?
  var lastMode: CObjectBoxSensors.sensor_mode?

  init() {}
}

/// A struct, whose C enums have no initial value.
struct Reading: Entity, Equatable {
  var id: Id
  let state: sensor_state
  let trend: sensor_trend?
  let celsius: sensor_celsius
}
