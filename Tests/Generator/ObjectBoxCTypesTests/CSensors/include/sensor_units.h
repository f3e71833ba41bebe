#ifndef SENSOR_UNITS_H
#define SENSOR_UNITS_H

typedef double sensor_celsius;
typedef float sensor_ratio;

#endif
