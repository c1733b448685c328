/* threads.h - threads that live for one call, and what they wait on: pthreads, Win32, or the caller alone. */
#ifndef HC_THREADS_H
#define HC_THREADS_H
#include "internal.h"

#if defined(HC_NO_THREADS)
#elif defined(_WIN32)
#define HC_THREADS_WIN32 1
#ifndef _WIN32_WINNT
#define _WIN32_WINNT 0x0600 /* condition variables */
#endif
#include <windows.h>
#elif defined(__GNUC__) && (!defined(__wasm__) || defined(__EMSCRIPTEN_PTHREADS__) || defined(_REENTRANT))
#define HC_THREADS_POSIX 1
#include <pthread.h>
#endif

#define HC_TEAM_MAX 64 /* the caller included */

typedef struct hc_team {
    void (*run)(void *user);
    void *user;
    unsigned started; /* beside the caller */
#if defined(HC_THREADS_WIN32)
    HANDLE thread[HC_TEAM_MAX - 1];
#elif defined(HC_THREADS_POSIX)
    pthread_t thread[HC_TEAM_MAX - 1];
    int cancel_state;
#endif
} hc_team;

/* The team lives in its caller's frame: every init is followed by a join. */
HC_INTERNAL void hc_team_init(hc_team *t, void (*run)(void *user), void *user);
/* One more thread that calls run(user), all signals blocked that are not its own faults. 0: none to be had. */
HC_INTERNAL int hc_team_start(hc_team *t);
HC_INTERNAL void hc_team_join(hc_team *t);

/* A lock with one condition. Without threads nobody ever waits. */
typedef struct hc_monitor {
#if defined(HC_THREADS_WIN32)
    SRWLOCK lock;
    CONDITION_VARIABLE cond;
#elif defined(HC_THREADS_POSIX)
    pthread_mutex_t lock;
    pthread_cond_t cond;
#else
    int unused;
#endif
} hc_monitor;

HC_INTERNAL void hc_monitor_init(hc_monitor *m);
HC_INTERNAL void hc_monitor_end(hc_monitor *m);
HC_INTERNAL void hc_monitor_lock(hc_monitor *m);
HC_INTERNAL void hc_monitor_unlock(hc_monitor *m);
HC_INTERNAL void hc_monitor_wake(hc_monitor *m); /* all who wait */
/* Until woken; with ms > 0 that long at most. Wakes without reason happen. */
HC_INTERNAL void hc_monitor_wait(hc_monitor *m, unsigned ms);

#endif
