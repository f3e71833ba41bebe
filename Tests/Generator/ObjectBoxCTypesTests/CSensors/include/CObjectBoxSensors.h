// The C types of a sensor driver, as entities of the tests use them.
#ifndef COBJECTBOXSENSORS_H
#define COBJECTBOXSENSORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "sensor_units.h"

typedef uint32_t sensor_id;
typedef sensor_id sensor_alias;
typedef unsigned char sensor_port;
typedef char sensor_letter;
typedef long sensor_offset;
typedef unsigned long sensor_mask;
typedef int64_t sensor_ticks;
typedef uint64_t sensor_serial;
typedef size_t sensor_count;
typedef time_t sensor_time;
typedef pid_t sensor_owner;
typedef bool sensor_flag;
typedef short sensor_short;
typedef unsigned short sensor_level;

// Swift imports the next ones as structs.
typedef enum { SENSOR_OFF, SENSOR_ON, SENSOR_BROKEN = 40 } sensor_state;
enum sensor_trend { SENSOR_FALLING = -1, SENSOR_STEADY, SENSOR_RISING };
typedef enum sensor_tag { SENSOR_SMALL, SENSOR_LARGE } sensor_size;
enum sensor_wide { SENSOR_WIDE = 0x1ffffffffLL };
enum sensor_byte : uint8_t { SENSOR_BYTE_ZERO, SENSOR_BYTE_MAX = 255 };
enum __attribute__((flag_enum)) sensor_options {
  SENSOR_FAST = 1,
  SENSOR_QUIET = 2,
  SENSOR_FAST_AND_QUIET = 3,
};
typedef int32_t sensor_key __attribute__((swift_newtype(struct)));

// And these as enums.
enum __attribute__((enum_extensibility(open))) sensor_mode : int16_t {
  sensor_mode_idle = 0,
  sensor_mode_busy = 7,
};
enum __attribute__((enum_extensibility(closed))) sensor_side {
  sensor_side_left,
  sensor_side_right,
};
typedef enum { SENSOR_RED } sensor_color __attribute__((swift_name("SensorColor")));

sensor_id sensor_next_id(sensor_id id);

#endif
