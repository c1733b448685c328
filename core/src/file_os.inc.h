/* file_os.inc.h - opening, looking at and reading a file: POSIX and Windows behind the same few functions. */

#include <errno.h>
#include <stdint.h>

#if defined(_WIN32)
#ifndef _WIN32_WINNT
#define _WIN32_WINNT 0x0600
#endif
#include <io.h>
#include <stdlib.h>
#include <windows.h>
#else
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#endif

typedef intptr_t os_handle; /* descriptor; HANDLE on Windows */
#define OS_WAITED (-1)      /* os_wait: nothing yet */

typedef struct os_info {
    int regular, directory, seekable;
    uint64_t size; /* of a regular file; 0 in /proc and /sys says nothing */
    uint64_t pos;  /* where it stands, if seekable */
} os_info;

/* Functions that give an int give 0 or an errno value; reads give bytes (0: the end) or minus an errno value. */

#if defined(_WIN32)

static int os_errno(DWORD e)
{
    switch (e) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME:
    case ERROR_BAD_PATHNAME:
    case ERROR_INVALID_NAME:
    case ERROR_NO_UNICODE_TRANSLATION: return ENOENT;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION: return EACCES;
    case ERROR_TOO_MANY_OPEN_FILES: return EMFILE;
    case ERROR_INVALID_HANDLE: return EBADF;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY: return ENOMEM;
    case ERROR_FILENAME_EXCED_RANGE: return ENAMETOOLONG;
    default: return EIO;
    }
}

static uint64_t os_ms(void) { return GetTickCount64(); }

static int os_open(os_handle *h, const char *path, int patient)
{
    int e = 0, n = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
    WCHAR *wide;
    HANDLE f;
    (void)patient;
    if (n <= 0) return EINVAL;
    wide = (WCHAR *)malloc((size_t)n * sizeof *wide);
    if (!wide) return ENOMEM;
    MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, n);
    /* With backup semantics a directory opens, and can be told from what may not be read. */
    f = CreateFileW(wide, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                    FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_SEQUENTIAL_SCAN, NULL);
    if (f == INVALID_HANDLE_VALUE) e = os_errno(GetLastError());
    *h = (os_handle)f;
    free(wide);
    return e;
}

static void os_close(os_handle h) { CloseHandle((HANDLE)h); }

#if defined(_MSC_VER) || defined(_UCRT)
#if defined(__MINGW32__) /* whose headers leave it out */
_CRTIMP _invalid_parameter_handler __cdecl _set_thread_local_invalid_parameter_handler(_invalid_parameter_handler);
#endif
static void os_ignore(const wchar_t *a, const wchar_t *b, const wchar_t *c, unsigned d, uintptr_t e)
{
    (void)a, (void)b, (void)c, (void)d, (void)e;
}
#endif

static int os_from_fd(os_handle *h, int fd)
{
#if defined(_MSC_VER) || defined(_UCRT)
    /* The runtime ends the process over a descriptor that is not open unless it is told otherwise. */
    _invalid_parameter_handler before = _set_thread_local_invalid_parameter_handler(os_ignore);
    *h = (os_handle)_get_osfhandle(fd);
    _set_thread_local_invalid_parameter_handler(before);
#else
    *h = (os_handle)_get_osfhandle(fd);
#endif
    return *h == -1 || *h == -2 ? EBADF : 0; /* -2: a stream without a file */
}

static int os_look(os_handle h, int fresh, os_info *info)
{
    BY_HANDLE_FILE_INFORMATION by;
    LARGE_INTEGER zero, pos;
    (void)fresh;
    memset(info, 0, sizeof *info);
    if (GetFileType((HANDLE)h) != FILE_TYPE_DISK) return 0;
    if (!GetFileInformationByHandle((HANDLE)h, &by)) return os_errno(GetLastError());
    info->directory = (by.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    info->size = (uint64_t)by.nFileSizeHigh << 32 | by.nFileSizeLow;
    zero.QuadPart = 0;
    info->seekable = SetFilePointerEx((HANDLE)h, zero, &pos, FILE_CURRENT) != 0;
    info->pos = info->seekable ? (uint64_t)pos.QuadPart : 0;
    info->regular = !info->directory && info->seekable;
    return 0;
}

static int os_seek(os_handle h, uint64_t pos)
{
    LARGE_INTEGER to;
    to.QuadPart = (LONGLONG)pos;
    return SetFilePointerEx((HANDLE)h, to, NULL, FILE_BEGIN) ? 0 : os_errno(GetLastError());
}

static int64_t os_read_how(os_handle h, void *buf, size_t n, OVERLAPPED *at)
{
    DWORD got = 0, e;
    if (ReadFile((HANDLE)h, buf, (DWORD)n, &got, at)) return (int64_t)got;
    e = GetLastError();
    return e == ERROR_HANDLE_EOF || e == ERROR_BROKEN_PIPE ? 0 : -(int64_t)os_errno(e);
}
static int64_t os_read(os_handle h, void *buf, size_t n) { return os_read_how(h, buf, n, NULL); }
static int64_t os_read_at(os_handle h, void *buf, size_t n, uint64_t pos)
{
    OVERLAPPED at;
    memset(&at, 0, sizeof at);
    at.Offset = (DWORD)pos;
    at.OffsetHigh = (DWORD)(pos >> 32);
    return os_read_how(h, buf, n, &at);
}
#define OS_READ_AT_MOVES 1 /* on a synchronous handle */

static int os_wait(os_handle h, unsigned ms)
{
    (void)h, (void)ms;
    return 0;
}
static void os_will_read(os_handle h) { (void)h; }

#else /* POSIX */

static uint64_t os_ms(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_MONOTONIC, &t) != 0) return 0;
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* patient: the caller waits with os_wait, so a FIFO without a writer must not hold up its opening. */
static int os_open(os_handle *h, const char *path, int patient)
{
    int flags = O_RDONLY;
#ifdef O_CLOEXEC
    flags |= O_CLOEXEC;
#endif
#ifdef O_NOCTTY
    flags |= O_NOCTTY;
#endif
#if defined(__linux__)
    struct stat st;
    if (patient && stat(path, &st) == 0 && S_ISFIFO(st.st_mode)) flags |= O_NONBLOCK;
#else
    (void)patient;
#endif
    *h = open(path, flags);
    return *h < 0 ? errno : 0;
}

static void os_close(os_handle h) { close((int)h); }

static int os_from_fd(os_handle *h, int fd)
{
    *h = fd;
    return 0;
}

static int os_look(os_handle h, int fresh, os_info *info)
{
    struct stat st;
    off_t pos = 0;
    memset(info, 0, sizeof *info);
    if (fstat((int)h, &st) != 0) return errno;
    info->regular = S_ISREG(st.st_mode);
    info->directory = S_ISDIR(st.st_mode);
    info->size = info->regular && st.st_size > 0 ? (uint64_t)st.st_size : 0;
    if (!fresh || !info->regular) pos = lseek((int)h, 0, SEEK_CUR);
    info->seekable = pos >= 0;
    info->pos = pos >= 0 ? (uint64_t)pos : 0;
    return 0;
}

static int os_seek(os_handle h, uint64_t pos) { return lseek((int)h, (off_t)pos, SEEK_SET) < 0 ? errno : 0; }

static int64_t os_read(os_handle h, void *buf, size_t n)
{
    ssize_t got = read((int)h, buf, n);
    return got < 0 ? -(int64_t)errno : (int64_t)got;
}
static int64_t os_read_at(os_handle h, void *buf, size_t n, uint64_t pos)
{
    ssize_t got = pread((int)h, buf, n, (off_t)pos);
    return got < 0 ? -(int64_t)errno : (int64_t)got;
}
#define OS_READ_AT_MOVES 0

/* 0 when a read would not wait (or nobody can tell), OS_WAITED after ms in vain, EINTR. */
static int os_wait(os_handle h, unsigned ms)
{
    struct pollfd p;
    int n;
    p.fd = (int)h;
    p.events = POLLIN;
    p.revents = 0;
    n = poll(&p, 1, (int)ms);
    if (n == 0) return OS_WAITED;
    return n < 0 && errno == EINTR ? EINTR : 0;
}

static void os_will_read(os_handle h)
{
#if defined(POSIX_FADV_SEQUENTIAL)
    (void)posix_fadvise((int)h, 0, 0, POSIX_FADV_SEQUENTIAL);
#else
    (void)h;
#endif
}

#endif
