/* delay_load.c - on Windows, Node-API comes from the program that runs, whatever its file is called (node.exe or not).
 *
 * The import library is a delayed one: its loader asks this hook for the module "node.exe" before it looks for a file of
 * that name. node-gyp brings such a hook of its own for MSVC; this one is for mingw (scripts/cross.cjs). */
#ifdef _WIN32
#include <windows.h>
#include <delayimp.h>

static FARPROC WINAPI running_program(unsigned event, PDelayLoadInfo info)
{
    if (event != dliNotePreLoadLibrary || lstrcmpiA(info->szDll, "node.exe") != 0) return NULL;
    return (FARPROC)(void *)GetModuleHandleA(NULL);
}
PfnDliHook __pfnDliNotifyHook2 = running_program;
#else
typedef int hc_no_delay_load; /* ISO C wants a declaration */
#endif
