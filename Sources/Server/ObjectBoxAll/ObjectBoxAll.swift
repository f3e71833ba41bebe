// The modules of programs that open stores, under one import. Absent on purpose: `ObjectBoxCluster` and
// `ObjectBoxSyncServer`, since servers need PostgreSQL, and the generator makes other bindings for targets that import
// the former; `ObjectBoxTesting`, which is for test targets.
@_exported public import ObjectBox
@_exported public import ObjectBoxCare
@_exported public import ObjectBoxDynamic
@_exported public import ObjectBoxEncryption
@_exported public import ObjectBoxGrouping
@_exported public import ObjectBoxLive
@_exported public import ObjectBoxSearch
@_exported public import ObjectBoxSync
