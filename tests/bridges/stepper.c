/* A program of MOOS of its own kind: posts STEP every quarter second, doubles of COUNT, its PORT. */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static int fd;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static double now(void) {
    struct timeval time;
    gettimeofday(&time, 0);
    return time.tv_sec + time.tv_usec * 1e-6;
}

static char *put(char *at, const void *content, int size) {
    memcpy(at, content, size);
    return at + size;
}

static char *put_int(char *at, int32_t value) { return put(at, &value, 4); }

static char *put_text(char *at, const char *text) {
    int size = strlen(text);
    return put(put_int(at, size), text, size);
}

static void tell(const char *kind, const char *name, double number, const char *text) {
    char packet[512], *at = packet + 13;
    double time = now(), none = -1;
    at = put(put_int(at, -1), kind, 2);
    at = put_text(put_text(put_text(put_text(at, "pStepper"), ""), ""), name);
    at = put_text(put(put(put(at, &time, 8), &number, 8), &none, 8), text);
    int size = at - packet;
    put_int(packet, size);
    put_int(packet + 4, 1);
    packet[8] = 0;
    put_int(packet + 9, size - 9);
    pthread_mutex_lock(&lock);
    send(fd, packet, size, 0);
    pthread_mutex_unlock(&lock);
}

static int take(void *to, int size) {
    for (int done = 0; done < size;) {
        int part = recv(fd, (char *)to + done, size - done, 0);
        if (part <= 0)
            exit(0);
        done += part;
    }
    return size;
}

static void *read_mail(void *unused) {
    (void)unused;
    for (;;) {
        int32_t total, many;
        take(&total, 4);
        char *packet = malloc(total);
        take(packet, total - 4);
        memcpy(&many, packet, 4);
        char *at = packet + 5;
        for (int i = 0; i < many; i++) {
            int32_t length, size;
            memcpy(&length, at, 4);
            char *here = at + 10;
            char name[64] = "";
            for (int k = 0; k < 4; k++) {
                memcpy(&size, here, 4);
                if (k == 3 && size < 64)
                    memcpy(name, here + 4, size);
                here += 4 + size;
            }
            double number;
            memcpy(&number, here + 8, 8);
            if (!strcmp(name, "COUNT"))
                tell("ND", "DOUBLED", 2 * number, "");
            at += length;
        }
        free(packet);
    }
}

int main(int argc, char **argv) {
    char line[256], greeting[32] = "ELKS CAN'T DANCE 2/8/10";
    int port = 0, crash = argc > 3 ? atoi(argv[1]) : 0;
    FILE *file = fopen(argv[argc - 2], "r");
    while (file && fgets(line, sizeof line, file))
        if (!port)
            sscanf(line, "ServerPort = %d", &port);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (void *)&address, sizeof address))
        return 7;
    send(fd, greeting, sizeof greeting, 0);
    tell("iS", "asynchronous", 0, argv[argc - 1]);
    pthread_t reader;
    pthread_create(&reader, 0, read_mail, 0);
    tell("RD", "COUNT", 0, "");
    for (int step = 1;; step++) {
        usleep(250000);
        tell("ND", "STEP", step, "");
        if (step == 1)
            tell("ND", "PORT", port, "");
        if (step == crash)
            abort();
    }
}
