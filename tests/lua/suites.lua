-- suites.lua - the files of tests, in the order in which run.lua and the busted specification take them.
return {
    "test_objects",
    "test_bytes",
    "test_many",
    "test_long",
    "test_files",
    "test_bao",
    "test_examples",
    "test_docs",
    "test_build",
    "test_memory",
    "test_vectors",
}
