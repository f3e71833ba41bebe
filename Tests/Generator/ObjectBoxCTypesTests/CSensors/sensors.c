#include "CObjectBoxSensors.h"

sensor_id sensor_next_id(sensor_id id) { return id + 1; }
