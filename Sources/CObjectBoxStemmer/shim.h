// The stemming algorithms of Snowball.
#include <libstemmer.h>
