/* Simulated time for one unmodified program: preloaded, it replaces the clocks and waits of libc.

   Each thread is in a table with its state. A thread that would wait says for what, and until when;
   the one whose waiting leaves none running is the leader: it lets the earliest deadline come, or
   reports to the coordinator over a Unix socket, and goes on when it is granted more time. So time
   stands still while the program computes, and it is known when it has finished. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define NEVER INT64_MAX
#define NANO 1000000000LL
#define MOST_THREADS 256
#define MOST_READS 100000 /* of the clock, after which a program that only waits for it is helped */
#define PID 4242          /* every program's own: no log may hold a number of the machine */

typedef enum { UNUSED, RUNS, SLEEPS, WAITS, LISTENS } State;

typedef struct {
    State state;
    int64_t deadline;   /* when it goes on in any case [ns] */
    const void *object; /* what it waits for: a condition, a semaphore, a thread */
    int fd;             /* what it listens to */
    int timed_out;
    int woken; /* a futex */
    pthread_t thread;
} Thread;

typedef struct {
    int64_t now, next, received, sent, connections, reads;
} Report;
typedef struct {
    int64_t until, sent;
} Grant;

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static Thread threads[MOST_THREADS];
static int count, running, control = -1, database = -1, told, port;
static int64_t now, until, received, sent, connections, reads, helped;
static __thread Thread *me;

/* --- the C library's own functions ------------------------------------------------------------ */

static void *own(const char *name) {
    /* Conditions have two versions; the older is another interface. */
    void *found = strncmp(name, "pthread_cond", 12) ? 0 : dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
    return found ? found : dlsym(RTLD_NEXT, name);
}
#define OWN(function) ((__typeof__(&function))own(#function))
#define ON (control >= 0)

static ssize_t (*own_recv)(int, void *, size_t, int);
static ssize_t (*own_send)(int, const void *, size_t, int);
static int (*own_poll)(struct pollfd *, nfds_t, int);
static int (*own_select)(int, fd_set *, fd_set *, fd_set *, struct timeval *);
static int (*own_epoll_wait)(int, struct epoll_event *, int, int);

static void give_up(const char *why) {
    dprintf(2, "lockstep: %s\n", why);
    _exit(99);
}

/* --- threads and their waits; all under the lock of the table ---------------------------------- */

static Thread *add_thread(void) {
    for (int i = 0; i < MOST_THREADS; i++)
        if (threads[i].state == UNUSED) {
            memset(&threads[i], 0, sizeof(Thread));
            threads[i].state = RUNS;
            threads[i].fd = -1;
            count = i < count ? count : i + 1;
            return &threads[i];
        }
    give_up("more than 256 threads");
    return 0;
}

static void wake(Thread *one, int timed_out) {
    one->state = RUNS; /* it counts as running before it does run: nobody leads meanwhile */
    one->timed_out = timed_out;
    one->object = 0;
    running++;
    __atomic_store_n(&one->woken, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &one->woken, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

static int wake_waiters(const void *object, int most) {
    int woken = 0;
    for (int i = 0; i < count && woken < most; i++)
        if (threads[i].state == WAITS && threads[i].object == object) {
            wake(&threads[i], 0);
            woken++;
        }
    return woken;
}

static Thread *earliest(void) {
    Thread *found = 0; /* of equal deadlines, that of the older thread */
    for (int i = 0; i < count; i++)
        if (threads[i].state > RUNS && threads[i].deadline < NEVER &&
            (!found || threads[i].deadline < found->deadline))
            found = &threads[i];
    return found;
}

static int is_ready(int fd, int milliseconds) {
    struct pollfd look = {fd, POLLIN, 0};
    return fd >= 0 && own_poll(&look, 1, milliseconds) > 0;
}

static int wake_listener(int mail) {
    for (int i = 0; i < count; i++)
        if (threads[i].state == LISTENS &&
            is_ready(threads[i].fd, mail && threads[i].fd == database ? 5000 : 0)) {
            wake(&threads[i], 0);
            return 1;
        }
    return 0;
}

static void lead(void) {
    for (;;) {
        Thread *first = earliest();
        if (first && first->deadline <= until) {
            now = first->deadline > now ? first->deadline : now;
            wake(first, 1);
            return;
        }
        now = until > now ? until : now;
        Report report = {now, first ? first->deadline : NEVER, received, sent, connections, helped};
        Grant grant;
        if (own_send(control, &report, sizeof report, MSG_NOSIGNAL) != sizeof report ||
            own_recv(control, &grant, sizeof grant, MSG_WAITALL) != sizeof grant) {
            fflush(0);
            _exit(0); /* the run is over */
        }
        until = grant.until;
        first = earliest();
        if (first && first->deadline <= until)
            continue;
        now = until > now ? until : now;
        if (wake_listener(grant.sent > received))
            return;
    }
}

static void pause_here(void) { /* without the lock */
    while (!__atomic_exchange_n(&me->woken, 0, __ATOMIC_SEQ_CST))
        syscall(SYS_futex, &me->woken, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
}

static void stop_running(State state, int64_t deadline, const void *object, int fd) {
    me->state = state;
    me->deadline = deadline;
    me->object = object;
    me->fd = fd;
    reads = 0;
    if (!--running)
        lead();
}

static int wait_for(State state, int64_t deadline, const void *object, int fd) {
    if (!me)
        give_up("a thread that pthread_create has not made waits");
    pthread_mutex_lock(&table);
    stop_running(state, deadline, object, fd);
    pthread_mutex_unlock(&table);
    pause_here();
    return me->timed_out;
}

__attribute__((constructor)) static void begin(void) {
    own_recv = OWN(recv);
    own_send = OWN(send);
    own_poll = OWN(poll);
    own_select = OWN(select);
    own_epoll_wait = OWN(epoll_wait);
    const char *path = getenv("STEERAGEWAY_LOCKSTEP"), *at = getenv("STEERAGEWAY_MOOSDB");
    if (!path || !at)
        return;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (OWN(connect)(fd, (void *)&address, sizeof address))
        give_up("the coordinator is not there");
    Grant grant;
    if (own_recv(fd, &grant, sizeof grant, MSG_WAITALL) != sizeof grant)
        give_up("the coordinator does not answer");
    now = until = grant.until;
    sscanf(at, "%d:%d", &told, &port);
    me = add_thread();
    me->thread = pthread_self();
    running = 1;
    control = fd;
    unsetenv("STEERAGEWAY_LOCKSTEP"); /* not for its children */
    unsetenv("LD_PRELOAD");
}

/* --- clocks: all show simulated UTC ------------------------------------------------------------ */

static int64_t read_clock(void) {
    if (++reads > MOST_READS) { /* it reads the clock until time passes, which would be never */
        helped++;
        now += 1000;
    }
    return now;
}

int clock_gettime(clockid_t which, struct timespec *time) {
    if (!ON || which == CLOCK_PROCESS_CPUTIME_ID || which == CLOCK_THREAD_CPUTIME_ID)
        return syscall(SYS_clock_gettime, which, time);
    int64_t instant = read_clock();
    time->tv_sec = instant / NANO;
    time->tv_nsec = instant % NANO;
    return 0;
}

int gettimeofday(struct timeval *time, void *zone) {
    struct timespec exact;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &exact);
    time->tv_sec = exact.tv_sec;
    time->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (result)
        *result = exact.tv_sec;
    return exact.tv_sec;
}

static int64_t from_timespec(const struct timespec *time) {
    return time->tv_sec * NANO + time->tv_nsec;
}

static int64_t deadline_of(const struct timespec *time) { return time ? from_timespec(time) : NEVER; }

/* --- sleeps ------------------------------------------------------------------------------------ */

int clock_nanosleep(clockid_t which, int flags, const struct timespec *time, struct timespec *left) {
    if (!ON)
        return syscall(SYS_clock_nanosleep, which, flags, time, left) ? errno : 0;
    int64_t from = flags & TIMER_ABSTIME ? 0 : now;
    wait_for(SLEEPS, from + from_timespec(time), 0, -1);
    return 0;
}

int nanosleep(const struct timespec *time, struct timespec *left) {
    return ON ? clock_nanosleep(CLOCK_REALTIME, 0, time, left) : syscall(SYS_nanosleep, time, left);
}

int usleep(useconds_t microseconds) {
    struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
    return nanosleep(&time, 0);
}

unsigned sleep(unsigned seconds) {
    struct timespec time = {seconds, 0};
    nanosleep(&time, 0);
    return 0;
}

/* --- conditions and semaphores: their waiters are in the table --------------------------------- */

static int wait_on(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t deadline) {
    if (!me)
        give_up("a thread that pthread_create has not made waits");
    pthread_mutex_lock(&table);
    pthread_mutex_unlock(mutex); /* who signals now finds this thread once the table is free */
    stop_running(WAITS, deadline, condition, -1);
    pthread_mutex_unlock(&table);
    pause_here();
    pthread_mutex_lock(mutex);
    return me->timed_out ? ETIMEDOUT : 0;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    return ON ? wait_on(condition, mutex, NEVER) : OWN(pthread_cond_wait)(condition, mutex);
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                           const struct timespec *time) {
    return ON ? wait_on(condition, mutex, deadline_of(time))
              : OWN(pthread_cond_timedwait)(condition, mutex, time);
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t which,
                           const struct timespec *time) {
    return ON ? wait_on(condition, mutex, deadline_of(time))
              : OWN(pthread_cond_clockwait)(condition, mutex, which, time);
}

static int wake_locked(const void *object, int most) {
    pthread_mutex_lock(&table);
    int woken = wake_waiters(object, most);
    pthread_mutex_unlock(&table);
    return woken;
}

int pthread_cond_signal(pthread_cond_t *condition) {
    if (!ON)
        return OWN(pthread_cond_signal)(condition);
    wake_locked(condition, 1);
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
    if (!ON)
        return OWN(pthread_cond_broadcast)(condition);
    wake_locked(condition, MOST_THREADS);
    return 0;
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time) {
    return ON ? pthread_mutex_lock(mutex) : OWN(pthread_mutex_timedlock)(mutex, time);
}

static int take(sem_t *semaphore, int64_t deadline) {
    while (sem_trywait(semaphore)) {
        pthread_mutex_lock(&table);
        int value = 0;
        sem_getvalue(semaphore, &value); /* a post since then has found no waiter */
        if (value > 0) {
            pthread_mutex_unlock(&table);
            continue;
        }
        stop_running(WAITS, deadline, semaphore, -1);
        pthread_mutex_unlock(&table);
        pause_here();
        if (me->timed_out) {
            errno = ETIMEDOUT;
            return -1;
        }
    }
    return 0;
}

int sem_wait(sem_t *semaphore) {
    return ON ? take(semaphore, NEVER) : OWN(sem_wait)(semaphore);
}

int sem_timedwait(sem_t *semaphore, const struct timespec *time) {
    return ON ? take(semaphore, deadline_of(time)) : OWN(sem_timedwait)(semaphore, time);
}

int sem_clockwait(sem_t *semaphore, clockid_t which, const struct timespec *time) {
    return ON ? take(semaphore, deadline_of(time)) : OWN(sem_clockwait)(semaphore, which, time);
}

int sem_post(sem_t *semaphore) {
    int error = OWN(sem_post)(semaphore);
    if (ON && !error)
        wake_locked(semaphore, 1);
    return error;
}

/* --- threads ----------------------------------------------------------------------------------- */

typedef struct {
    void *(*function)(void *);
    void *argument;
    Thread *thread;
} Start;

static void leave(void *unused) {
    (void)unused;
    pthread_mutex_lock(&table);
    wake_waiters((const void *)me->thread, MOST_THREADS);
    me->state = UNUSED;
    me = 0;
    if (!--running)
        lead();
    pthread_mutex_unlock(&table);
}

static void *run(void *given) {
    Start start = *(Start *)given;
    void *result;
    free(given);
    me = start.thread;
    pthread_mutex_lock(&table); /* its creator writes the rest of its row */
    pthread_mutex_unlock(&table);
    pthread_cleanup_push(leave, 0);
    result = start.function(start.argument);
    pthread_cleanup_pop(1);
    return result;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                   void *argument) {
    if (!ON)
        return OWN(pthread_create)(thread, attributes, function, argument);
    Start *start = malloc(sizeof *start);
    pthread_mutex_lock(&table);
    *start = (Start){function, argument, add_thread()};
    running++;
    Thread *row = start->thread;
    int error = OWN(pthread_create)(thread, attributes, run, start);
    if (error) {
        row->state = UNUSED;
        running--;
        free(start);
    } else {
        row->thread = *thread;
    }
    pthread_mutex_unlock(&table);
    return error;
}

int pthread_join(pthread_t thread, void **result) {
    if (ON && me) {
        pthread_mutex_lock(&table);
        int is_there = 0;
        for (int i = 0; i < count; i++)
            is_there |= threads[i].state != UNUSED && threads[i].thread == thread;
        if (is_there)
            stop_running(WAITS, NEVER, (const void *)thread, -1);
        pthread_mutex_unlock(&table);
        if (is_there)
            pause_here();
    }
    return OWN(pthread_join)(thread, result);
}

/* --- sockets: the bytes of the one to the database are counted on both sides -------------------- */

int connect(int fd, const struct sockaddr *address, socklen_t size) {
    struct sockaddr_in to;
    int is_database = 0;
    if (ON && address->sa_family == AF_INET && size >= sizeof to) {
        memcpy(&to, address, sizeof to);
        if ((is_database = ntohs(to.sin_port) == told)) {
            to.sin_port = htons(port);
            address = (const void *)&to;
        }
    }
    int error = OWN(connect)(fd, address, size);
    if (is_database && !error) {
        struct sockaddr_in mine;
        socklen_t length = sizeof mine;
        getsockname(fd, (void *)&mine, &length);
        database = fd;
        received = sent = 0;
        connections = ((connections >> 16) + 1) << 16 | ntohs(mine.sin_port);
    }
    return error;
}

ssize_t send(int fd, const void *content, size_t size, int flags) {
    ssize_t done = own_send(fd, content, size, flags);
    if (ON && fd == database && done > 0)
        __atomic_add_fetch(&sent, done, __ATOMIC_SEQ_CST);
    return done;
}

ssize_t recv(int fd, void *content, size_t size, int flags) {
    while (ON && !(flags & MSG_DONTWAIT) && !is_ready(fd, 0))
        wait_for(LISTENS, NEVER, 0, fd);
    ssize_t done = own_recv(fd, content, size, flags);
    if (ON && fd == database && done > 0 && !(flags & MSG_PEEK))
        __atomic_add_fetch(&received, done, __ATOMIC_SEQ_CST);
    return done;
}

int select(int highest, fd_set *in, fd_set *out, fd_set *bad, struct timeval *time) {
    if (!ON)
        return own_select(highest, in, out, bad, time);
    int64_t deadline = time ? now + time->tv_sec * NANO + time->tv_usec * 1000 : NEVER;
    int fd = -1;
    for (int i = 0; in && i < highest; i++)
        if (FD_ISSET(i, in) && (fd < 0 || i == database))
            fd = i;
    for (;;) {
        fd_set sets[3];
        struct timeval none = {0, 0};
        fd_set *given[3] = {in, out, bad};
        for (int i = 0; i < 3; i++)
            if (given[i])
                sets[i] = *given[i];
        int ready = own_select(highest, in ? &sets[0] : 0, out ? &sets[1] : 0, bad ? &sets[2] : 0,
                               &none);
        if (ready || now >= deadline) {
            for (int i = 0; i < 3; i++)
                if (given[i])
                    *given[i] = sets[i];
            return ready;
        }
        wait_for(fd < 0 ? SLEEPS : LISTENS, deadline, 0, fd);
    }
}

int ppoll(struct pollfd *fds, nfds_t many, const struct timespec *time, const sigset_t *mask) {
    if (!ON)
        return OWN(ppoll)(fds, many, time, mask);
    int64_t deadline = time ? now + from_timespec(time) : NEVER;
    for (;;) {
        int ready = own_poll(fds, many, 0);
        if (ready || now >= deadline)
            return ready;
        wait_for(many ? LISTENS : SLEEPS, deadline, 0, many ? fds[0].fd : -1);
    }
}

int poll(struct pollfd *fds, nfds_t many, int milliseconds) {
    if (!ON || !milliseconds)
        return own_poll(fds, many, milliseconds);
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    return ppoll(fds, many, milliseconds < 0 ? 0 : &time, 0);
}

int epoll_wait(int fd, struct epoll_event *events, int most, int milliseconds) {
    if (!ON || !milliseconds)
        return own_epoll_wait(fd, events, most, milliseconds);
    int64_t deadline = milliseconds < 0 ? NEVER : now + milliseconds * 1000000LL;
    for (;;) {
        int ready = own_epoll_wait(fd, events, most, 0);
        if (ready || now >= deadline)
            return ready;
        wait_for(LISTENS, deadline, 0, fd);
    }
}

/* --- what the machine would put into posts ------------------------------------------------------ */

pid_t getpid(void) { return ON ? PID : syscall(SYS_getpid); }

clock_t times(struct tms *result) {
    if (result)
        memset(result, 0, sizeof *result);
    return now / (NANO / 100);
}

clock_t clock(void) { return 0; }

int getrusage(__rusage_who_t who, struct rusage *result) {
    (void)who;
    memset(result, 0, sizeof *result);
    return 0;
}
