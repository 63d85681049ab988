// Sends HTTP requests on one thread: as fast as they are answered, or at a rate that takes no notice of the answers.
//
//   overload-client PORT REQUESTS CONNECTIONS SECONDS [RATE CALM_RATE CALM_SECONDS LIMIT_MS]
//
// REQUESTS is a file of whole requests, each after its length as four bytes, little-endian; they are sent in turn.
// Without RATE each connection sends its next request when it has its answer. With RATE so many requests a second are due,
// and a delay counts from the time at which the request was due, whether or not a connection was free then. Then CALM_RATE
// follows: `back` is the time of the last request of this phase that was refused or took longer than LIMIT_MS.
// A 503 is a refusal, a 200 without "errors" at its beginning an answer, and all else a failure. One line of JSON comes out;
// times are in milliseconds.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct connection {
    int fd;
    // 0 while the connection is free.
    long long due;
    // Bytes of the answer that are still to come; -1 while its head is read.
    long rest;
    int kind;
    char head[4096];
    int head_size;
};

enum { ANSWERED, REFUSED, FAILED, KINDS };

static struct connection *connections;
static int *is_free, free_count, count, poller;
static struct sockaddr_in server;
static char **requests;
static unsigned *sizes;
static long request_count, next_request;
static float *delays[KINDS];
static long numbers[KINDS], capacity[KINDS];
static long long calm_begins, last_trouble;
static double limit;
static long unsent;
static long calm_numbers[KINDS];

static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    exit(1);
}

// Microseconds.
static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}

static void read_requests(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) fail("%s: %s", path, strerror(errno));
    unsigned size;
    while (fread(&size, 4, 1, file) == 1) {
        requests = realloc(requests, (request_count + 1) * sizeof *requests);
        sizes = realloc(sizes, (request_count + 1) * sizeof *sizes);
        requests[request_count] = malloc(size);
        sizes[request_count] = size;
        if (fread(requests[request_count], 1, size, file) != size) fail("%s ends early", path);
        request_count++;
    }
    if (request_count == 0) fail("%s has no request", path);
    fclose(file);
}

static void open_connection(struct connection *connection) {
    connection->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connection->fd < 0) fail("socket: %s", strerror(errno));
    if (connect(connection->fd, (struct sockaddr *)&server, sizeof server)) fail("connect: %s", strerror(errno));
    int one = 1;
    setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    epoll_ctl(poller, EPOLL_CTL_ADD, connection->fd, &event);
    connection->due = 0;
}

static void release(struct connection *connection) {
    connection->due = 0;
    is_free[free_count++] = connection - connections;
}

static void record(struct connection *connection, int kind) {
    long long time = now();
    double delay = (time - connection->due) / 1000.0;
    if (calm_begins && connection->due >= calm_begins) {
        calm_numbers[kind]++;
        if (kind != ANSWERED || delay > limit) last_trouble = connection->due;
        return;
    }
    if (numbers[kind] == capacity[kind]) {
        capacity[kind] = capacity[kind] ? capacity[kind] * 2 : 65536;
        delays[kind] = realloc(delays[kind], capacity[kind] * sizeof(float));
    }
    delays[kind][numbers[kind]++] = delay;
}

static void finish(struct connection *connection, int kind) {
    record(connection, kind);
    release(connection);
}

// The server closed the connection, or has not taken the request.
static void reopen(struct connection *connection) {
    close(connection->fd);
    if (connection->due) record(connection, FAILED);
    int was_busy = connection->due != 0;
    open_connection(connection);
    if (was_busy) release(connection);
}

static void start(struct connection *connection, long long due) {
    long index = next_request++ % request_count;
    connection->due = due;
    connection->rest = -1;
    connection->head_size = 0;
    if (send(connection->fd, requests[index], sizes[index], MSG_NOSIGNAL | MSG_DONTWAIT) != sizes[index]) reopen(connection);
}

static void read_answer(struct connection *connection) {
    static char bytes[1 << 16];
    ssize_t size = recv(connection->fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (size <= 0) return reopen(connection);
    if (!connection->due) return;
    if (connection->rest >= 0) {
        connection->rest -= size;
        if (connection->rest <= 0) finish(connection, connection->kind);
        return;
    }
    int room = sizeof connection->head - 1 - connection->head_size;
    int taken = size < room ? size : room;
    memcpy(connection->head + connection->head_size, bytes, taken);
    connection->head_size += taken;
    connection->head[connection->head_size] = 0;
    char *body = strstr(connection->head, "\r\n\r\n");
    if (!body) {
        if (connection->head_size == (int)sizeof connection->head - 1) fail("a head is too long");
        return;
    }
    body += 4;
    char *field = strcasestr(connection->head, "\r\nContent-Length:");
    if (!field || field > body) fail("an answer without Content-Length:\n%s", connection->head);
    long length = atol(field + 17);
    int status = atoi(connection->head + 9);
    int has_errors = strncmp(body, "{\"errors\"", 9) == 0;
    connection->kind = status == 503 ? REFUSED : status == 200 && !has_errors ? ANSWERED : FAILED;
    long read = (connection->head_size - (body - connection->head)) + (size - taken);
    connection->rest = length - read;
    if (connection->rest <= 0) finish(connection, connection->kind);
}

static int compare(const void *left, const void *right) {
    float a = *(const float *)left, b = *(const float *)right;
    return a < b ? -1 : a > b;
}

static double quantile(int kind, double share) {
    if (!numbers[kind]) return 0;
    long index = numbers[kind] * share;
    return delays[kind][index < numbers[kind] ? index : numbers[kind] - 1];
}

static void wait_for_answers(int milliseconds) {
    static struct epoll_event events[1024];
    int ready = epoll_wait(poller, events, 1024, milliseconds);
    for (int i = 0; i < ready; i++) read_answer(events[i].data.ptr);
}

static void run_closed(long long end) {
    while (now() < end) {
        while (free_count) start(&connections[is_free[--free_count]], now());
        wait_for_answers(100);
    }
}

// - Returns: the number of requests that were due.
static long run_open(double rate, long long begin, long long end) {
    long due_count = 0, sent = 0;
    while (1) {
        long long time = now();
        if (time >= end) break;
        due_count = (time - begin) * rate / 1e6;
        while (sent < due_count && free_count) {
            start(&connections[is_free[--free_count]], begin + (long long)(sent * 1e6 / rate));
            sent++;
        }
        wait_for_answers(sent < due_count || free_count == 0 ? 1 : rate > 1000 ? 0 : 1);
    }
    // Requests that no connection was free for have got no answer at all.
    if (!calm_begins) unsent = due_count - sent;
    return due_count;
}

int main(int argc, char **argv) {
    if (argc != 5 && argc != 9) fail("overload-client PORT REQUESTS CONNECTIONS SECONDS [RATE CALM_RATE CALM_SECONDS LIMIT_MS]");
    server = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(atoi(argv[1]))};
    inet_pton(AF_INET, "127.0.0.1", &server.sin_addr);
    read_requests(argv[2]);
    count = atoi(argv[3]);
    double seconds = atof(argv[4]);
    poller = epoll_create1(0);
    connections = calloc(count, sizeof *connections);
    is_free = calloc(count, sizeof *is_free);
    for (int i = 0; i < count; i++) {
        open_connection(&connections[i]);
        is_free[free_count++] = i;
    }
    long long begin = now(), end = begin + seconds * 1e6;
    long due = 0;
    double back = 0;
    if (argc == 5) {
        run_closed(end);
        due = numbers[ANSWERED] + numbers[REFUSED] + numbers[FAILED];
    } else {
        due = run_open(atof(argv[5]), begin, end);
        limit = atof(argv[8]);
        calm_begins = last_trouble = now();
        run_open(atof(argv[6]), calm_begins, calm_begins + (long long)(atof(argv[7]) * 1e6));
        back = (last_trouble - calm_begins) / 1000.0;
    }
    for (int kind = 0; kind < KINDS; kind++)
        if (delays[kind]) qsort(delays[kind], numbers[kind], sizeof(float), compare);
    printf("{\"due\": %ld, \"answered\": %ld, \"refused\": %ld, \"failed\": %ld, \"goodput\": %.1f, "
           "\"answered_p50\": %.2f, \"answered_p99\": %.2f, \"refused_p50\": %.2f, \"refused_p99\": %.2f, "
           "\"calm_answered\": %ld, \"calm_refused\": %ld, \"calm_failed\": %ld, \"back\": %.1f}\n",
           due, numbers[ANSWERED], numbers[REFUSED], numbers[FAILED] + unsent, numbers[ANSWERED] / seconds,
           quantile(ANSWERED, .5), quantile(ANSWERED, .99), quantile(REFUSED, .5), quantile(REFUSED, .99),
           calm_numbers[ANSWERED], calm_numbers[REFUSED], calm_numbers[FAILED], back);
    return 0;
}
