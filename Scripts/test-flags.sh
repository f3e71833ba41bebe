# The flags of the build that all tests share, and how it makes the generator; scripts source it. With other flags,
# SwiftPM would compile everything again.
# A function that takes more than half a second to type-check is an error: a closure without types can take ten. The
# limit is processor time, so `slowness`, which stages.sh measures, raises it on a slow machine, in whole steps.
limit="$(awk -v slowness="${slowness:-1}" 'BEGIN { print 500 * int(slowness + 0.5) }')"
flags=(-Xswiftc -warnings-as-errors -Xswiftc -DOBJECTBOX_INTERNAL_CHECKS)
flags+=(-Xswiftc -Xfrontend -Xswiftc "-warn-long-function-bodies=$limit")

# build_generator: builds the generator with these flags. Without the other targets, since planning them would run the
# plugins, which need a generator.
build_generator() { OBJECTBOX_TESTS=objectbox-generator swift build --product objectbox-generator "${flags[@]}"; }
