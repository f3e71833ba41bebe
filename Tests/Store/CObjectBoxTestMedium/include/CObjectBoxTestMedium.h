#ifndef COBJECTBOX_TEST_MEDIUM_H
#define COBJECTBOX_TEST_MEDIUM_H

/// Chooses the medium of the tests' stores; written in Swift.
void objectbox_choose_test_medium(void);

#endif
