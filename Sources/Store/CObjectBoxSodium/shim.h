// libsodium: the ciphers, hashes and locked memory of encrypted stores.
#include <sodium.h>
