#ifndef COBJECTBOX_CARE_H
#define COBJECTBOX_CARE_H

/// Checks all that a store file holds; ObjectBoxCare has it, in Swift.
///
/// @param check a `FullCheck`
void obx_care_check(void *check);

#endif
