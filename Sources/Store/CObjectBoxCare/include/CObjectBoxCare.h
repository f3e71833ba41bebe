#ifndef COBJECTBOX_CARE_H
#define COBJECTBOX_CARE_H

/// Checks the whole content of a store file; ObjectBoxCare implements it in Swift.
///
/// @param check a `FullCheck`
void obx_care_check(void *check);

// Copies of whole versions.
#include "CObjectBoxCompact.h"
// Reading of damaged files.
#include "CObjectBoxSalvage.h"

#endif
