/* target_end.h - back to the instruction set that target_begin.h left. */
#if defined(HC_TARGET) && defined(__clang__)
#pragma clang attribute pop
#elif defined(HC_TARGET) && defined(__GNUC__)
#pragma GCC pop_options
#endif
