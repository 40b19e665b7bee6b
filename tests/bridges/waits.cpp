// Waits in every way that the library replaces, and says how long each took by each clock [ms].
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <future>
#include <mutex>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

using namespace std::chrono;

static long long clock_ms(clockid_t which) {
    timespec time;
    clock_gettime(which, &time);
    return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

static timespec in_ms(long more) {
    timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += more * 1000000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

template <class Act> static void timed(const char *name, Act act) {
    timeval before, after;
    long long begin = clock_ms(CLOCK_MONOTONIC);
    gettimeofday(&before, nullptr);
    act();
    gettimeofday(&after, nullptr);
    long long by_day = (after.tv_sec - before.tv_sec) * 1000LL + (after.tv_usec - before.tv_usec) / 1000;
    printf("%s %lld %lld\n", name, clock_ms(CLOCK_MONOTONIC) - begin, by_day);
    fflush(stdout);
}

int main(int argc, char **argv) {
    int pipes[2];
    if (pipe(pipes)) return 1;
    std::mutex mutex;
    std::condition_variable condition;
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    printf("start %lld %d %ld\n", (long long)time(nullptr), getpid(), (long)clock());
    timed("nanosleep", [] { timespec t = {1, 500000000}; nanosleep(&t, nullptr); });
    timed("usleep", [] { usleep(250000); });
    timed("sleep", [] { sleep(3); });
    timed("clock_nanosleep", [] { timespec t = in_ms(700); clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &t, nullptr); });
    timed("sleep_for", [] { std::this_thread::sleep_for(duration<int, std::milli>(40)); });
    timed("wait_for", [&] { std::unique_lock<std::mutex> lock(mutex); condition.wait_for(lock, duration<int, std::milli>(600)); });
    timed("cond_timedwait", [] {
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
        timespec t = in_ms(90); pthread_mutex_lock(&m); pthread_cond_timedwait(&c, &m, &t); pthread_mutex_unlock(&m); });
    timed("notified", [&] {
        bool done = false;
        std::thread other([&] { usleep(80000); std::lock_guard<std::mutex> lock(mutex); done = true; condition.notify_all(); });
        { std::unique_lock<std::mutex> lock(mutex); condition.wait(lock, [&] { return done; }); }
        other.join(); });
    timed("join", [] { std::thread([] { usleep(120000); }).join(); });
    timed("async", [] { std::async(std::launch::async, [] { usleep(30000); return 1; }).wait(); });
    timed("sem_timedwait", [&] { timespec t = in_ms(350); sem_timedwait(&semaphore, &t); });
    timed("sem_wait", [&] { std::thread other([&] { usleep(45000); sem_post(&semaphore); }); sem_wait(&semaphore); other.join(); });
    timed("select", [&] { fd_set in; FD_ZERO(&in); FD_SET(pipes[0], &in); timeval t = {0, 130000}; select(pipes[0] + 1, &in, nullptr, nullptr, &t); });
    timed("poll", [&] { pollfd look = {pipes[0], POLLIN, 0}; poll(&look, 1, 170); });
    timed("ppoll", [&] { pollfd look = {pipes[0], POLLIN, 0}; timespec t = {0, 190000000}; ppoll(&look, 1, &t, nullptr); });
    timed("epoll_wait", [&] { int fd = epoll_create1(0); epoll_event event = {EPOLLIN, {}}; epoll_ctl(fd, EPOLL_CTL_ADD, pipes[0], &event); epoll_wait(fd, &event, 1, 210); close(fd); });
    timed("spin", [] { long long end = clock_ms(CLOCK_MONOTONIC) + 2; while (clock_ms(CLOCK_MONOTONIC) < end) ; });
    printf("end 0 0\n");
    fflush(stdout);
    if (argc > 1 && !strcmp(argv[1], "hang")) for (std::atomic<long> n{0};;) n++;
    if (argc > 1 && !strcmp(argv[1], "crash")) { volatile int *nowhere = nullptr; *nowhere = 1; }
    sleep(1000000);
}
