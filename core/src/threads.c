/* threads.c - how many threads a call may use, and running its pieces on them. */
#include "common.h"
#include "threads.h"

#if defined(HC_THREADS_POSIX)
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#endif

#define AUTO_MAX 16 /* memory and start-up cost more than they give beyond */

/* Virtual memory only. The deepest worker (a batch with its gathered lanes) takes 64 KiB; libc's thread-local
 * storage and a sanitizer's redzones come out of it too, and musl's own default would be 128 KiB. */
#define STACK_SIZE ((size_t)512 * 1024)
#define JOIN_TRIES 400

/* Processors that the calling thread may run on. */
static unsigned processors(void)
{
#if defined(HC_THREADS_WIN32)
    DWORD_PTR process = 0, system = 0;
    unsigned n = 0;
    if (GetProcessAffinityMask(GetCurrentProcess(), &process, &system))
        for (; process; process &= process - 1) n++;
    return n ? n : 1;
#elif defined(HC_THREADS_POSIX)
    long n;
#if defined(__linux__) && defined(CPU_COUNT_S)
    /* As many as any kernel is built for; a smaller mask would be refused on big machines. */
    unsigned long mask[8192 / (8 * sizeof(unsigned long))];
    memset(mask, 0, sizeof mask);
    if (sched_getaffinity(0, sizeof mask, (cpu_set_t *)(void *)mask) == 0) {
        int count = CPU_COUNT_S(sizeof mask, (cpu_set_t *)(void *)mask);
        if (count > 0) return (unsigned)count;
    }
#endif
    n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (unsigned)n : 1;
#else
    return 1;
#endif
}

unsigned hc_threads_for(unsigned threads, uint64_t size, uint64_t grain, uint64_t auto_grain)
{
    const uint64_t pieces = size / (threads == HC_THREADS_AUTO ? auto_grain : grain);
#if !defined(HC_THREADS_WIN32) && !defined(HC_THREADS_POSIX)
    threads = 1;
#endif
    if (threads <= 1 || pieces <= 1) return 1;
    if (threads == HC_THREADS_AUTO) {
        threads = processors();
        if (threads > AUTO_MAX) threads = AUTO_MAX;
    }
    if (threads > HC_TEAM_MAX) threads = HC_TEAM_MAX;
    return threads < pieces ? threads : (unsigned)pieces;
}

/* ---- Teams ------------------------------------------------------------------- */

#if defined(HC_THREADS_WIN32)

static DWORD WINAPI enter(LPVOID arg)
{
    hc_team *t = (hc_team *)arg;
    t->run(t->user);
    return 0;
}

void hc_team_init(hc_team *t, void (*run)(void *user), void *user)
{
    t->run = run;
    t->user = user;
    t->started = 0;
}

int hc_team_start(hc_team *t)
{
    HANDLE h;
    if (t->started == HC_TEAM_MAX - 1) return 0;
    h = CreateThread(NULL, STACK_SIZE, enter, t, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    if (!h) return 0;
    t->thread[t->started++] = h;
    return 1;
}

void hc_team_join(hc_team *t)
{
    unsigned i;
    for (i = 0; i < t->started; i++) {
        WaitForSingleObject(t->thread[i], INFINITE);
        CloseHandle(t->thread[i]);
    }
}

void hc_monitor_init(hc_monitor *m)
{
    InitializeSRWLock(&m->lock);
    InitializeConditionVariable(&m->cond);
}
void hc_monitor_end(hc_monitor *m) { (void)m; }
void hc_monitor_lock(hc_monitor *m) { AcquireSRWLockExclusive(&m->lock); }
void hc_monitor_unlock(hc_monitor *m) { ReleaseSRWLockExclusive(&m->lock); }
void hc_monitor_wake(hc_monitor *m) { WakeAllConditionVariable(&m->cond); }
void hc_monitor_wait(hc_monitor *m, unsigned ms)
{
    SleepConditionVariableSRW(&m->cond, &m->lock, ms ? ms : INFINITE, 0);
}

#elif defined(HC_THREADS_POSIX)

static void *enter(void *arg)
{
    hc_team *t = (hc_team *)arg;
    t->run(t->user);
    return NULL;
}

void hc_team_init(hc_team *t, void (*run)(void *user), void *user)
{
    t->run = run;
    t->user = user;
    t->started = 0;
#ifdef PTHREAD_CANCEL_DISABLE
    /* Joining is a cancellation point, and the workers stand on the caller's frame. */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &t->cancel_state);
#endif
}

int hc_team_start(hc_team *t)
{
    static const int own[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS };
    pthread_attr_t attr;
    sigset_t block, before;
    size_t i;
    int failed = EAGAIN;

    if (t->started == HC_TEAM_MAX - 1) return 0;
    /* Ctrl-C and timers go to the interpreter's own threads. */
    sigfillset(&block);
    for (i = 0; i < sizeof own / sizeof *own; i++) sigdelset(&block, own[i]);
    if (pthread_sigmask(SIG_SETMASK, &block, &before) != 0) return 0;
    if (pthread_attr_init(&attr) == 0) {
        if (pthread_attr_setstacksize(&attr, STACK_SIZE) == 0)
            failed = pthread_create(&t->thread[t->started], &attr, enter, t);
        pthread_attr_destroy(&attr);
    }
    if (failed == EINVAL) /* much thread-local storage: take what the system thinks right */
        failed = pthread_create(&t->thread[t->started], NULL, enter, t);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed) return 0;
    t->started++;
    return 1;
}

void hc_team_join(hc_team *t)
{
    unsigned i;
    for (i = 0; i < t->started; i++) {
#if defined(__linux__) && !defined(__ANDROID__)
        /* Who shares pieces ends soon after the caller; a processor that goes to sleep for so short a time wakes up
         * late (40 to 80 us in a virtual machine). The tries take 80 us a helper at most. */
        unsigned k;
        for (k = 0; k < JOIN_TRIES; k++) {
            if (pthread_tryjoin_np(t->thread[i], NULL) == 0) break;
            sched_yield();
        }
        if (k < JOIN_TRIES) continue;
#endif
        pthread_join(t->thread[i], NULL);
    }
#ifdef PTHREAD_CANCEL_DISABLE
    pthread_setcancelstate(t->cancel_state, NULL);
#endif
}

void hc_monitor_init(hc_monitor *m)
{
    pthread_mutex_init(&m->lock, NULL);
    pthread_cond_init(&m->cond, NULL);
}
void hc_monitor_end(hc_monitor *m)
{
    pthread_cond_destroy(&m->cond);
    pthread_mutex_destroy(&m->lock);
}
void hc_monitor_lock(hc_monitor *m) { pthread_mutex_lock(&m->lock); }
void hc_monitor_unlock(hc_monitor *m) { pthread_mutex_unlock(&m->lock); }
void hc_monitor_wake(hc_monitor *m) { pthread_cond_broadcast(&m->cond); }
void hc_monitor_wait(hc_monitor *m, unsigned ms)
{
    struct timespec t;
    if (!ms) {
        pthread_cond_wait(&m->cond, &m->lock);
        return;
    }
    clock_gettime(CLOCK_REALTIME, &t); /* macOS has no other clock for conditions */
    t.tv_sec += (time_t)(ms / 1000);
    t.tv_nsec += (long)(ms % 1000) * 1000000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000;
    }
    pthread_cond_timedwait(&m->cond, &m->lock, &t);
}

#else

void hc_team_init(hc_team *t, void (*run)(void *user), void *user)
{
    t->run = run;
    t->user = user;
    t->started = 0;
}
int hc_team_start(hc_team *t)
{
    (void)t;
    return 0;
}
void hc_team_join(hc_team *t) { (void)t; }
void hc_monitor_init(hc_monitor *m) { m->unused = 0; }
void hc_monitor_end(hc_monitor *m) { (void)m; }
void hc_monitor_lock(hc_monitor *m) { (void)m; }
void hc_monitor_unlock(hc_monitor *m) { (void)m; }
void hc_monitor_wake(hc_monitor *m) { (void)m; }
void hc_monitor_wait(hc_monitor *m, unsigned ms)
{
    (void)m;
    (void)ms;
}

#endif

/* ---- A queue of pieces --------------------------------------------------------- */

#if defined(HC_THREADS_WIN32)
typedef volatile LONG64 counter;
#define COUNTER_NEXT(c) ((uint64_t)InterlockedIncrement64(c) - 1)
#define COUNTER_SEEN(c) ((uint64_t)InterlockedCompareExchange64((c), 0, 0))
#elif defined(HC_THREADS_POSIX)
/* As wide as a pointer: 32-bit machines without a lock-free 64-bit word need no helper library. */
typedef size_t counter;
#define COUNTER_NEXT(c) __atomic_fetch_add((c), 1, __ATOMIC_RELAXED)
#define COUNTER_SEEN(c) __atomic_load_n((c), __ATOMIC_RELAXED)
#else
typedef size_t counter;
#define COUNTER_NEXT(c) ((*(c))++)
#define COUNTER_SEEN(c) (*(c))
#endif

typedef struct queue {
    counter next;
    size_t count;
    void (*job)(void *user, size_t i);
    void *user;
} queue;

static void work(void *arg)
{
    queue *q = (queue *)arg;
    for (;;) {
        size_t i = (size_t)COUNTER_NEXT(&q->next);
        if (i >= q->count) return;
        q->job(q->user, i);
    }
}

void hc_parallel(unsigned threads, size_t count, void (*job)(void *user, size_t i), void *user)
{
    queue q;
    hc_team team;
    size_t i;

    if (threads > count) threads = (unsigned)count;
    if (threads <= 1) {
        for (i = 0; i < count; i++) job(user, i);
        return;
    }
    q.next = 0;
    q.count = count;
    q.job = job;
    q.user = user;
    hc_team_init(&team, work, &q);
    while (--threads && COUNTER_SEEN(&q.next) < count && hc_team_start(&team))
        ;
    work(&q);
    hc_team_join(&team);
}
