#ifndef COBJECTBOX_SEARCH_H
#define COBJECTBOX_SEARCH_H

/// Gives the core the engine of full-text indexes; ObjectBoxSearch implements it in Swift.
///
/// @param call an `EngineCall`
void obx_search_engine(void *call);

#endif
