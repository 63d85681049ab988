// Holds many graphql-transport-ws subscribers on one thread, publishes over HTTP, and measures when each has each event.
//
//   fanout-client -p PORT [-n SOCKETS] [-t SECONDS] [-r RATE] [-s SUBSCRIPTION] [-u PATH] [-b BODY] [-a TOKEN] [-i PID]
//
// In BODY and so in the event, "@TS@" becomes "ts=" and the time of publishing in microseconds: what is measured goes from
// the start of the publishing request to the arrival of the event.
// RATE 0 is the closed loop: an event is published when every socket has the one before.
// PID is the server's, of which memory and CPU are read. One line of JSON comes out.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum state { CONNECTING, UPGRADING, STARTING, SUBSCRIBED };

struct subscriber {
    int fd;
    enum state state;
    // The beginning of a message whose end has not come.
    char *rest;
    size_t rest_size;
};

static int port, server_pid, sockets = 10000, seconds = 10;
static double rate;
static const char *token;
static const char *subscription = "subscription { feedChanges { node { ... on Thought { text } } } }";
static const char *publish_path = "/graphql", *publish_body = "@TS@";

static struct subscriber *subscribers;
static int poller, publisher, subscribed;
static char input[1 << 18];

static int is_measured;
static long long first_event, current_event;
static long received, received_of_current;
static float *delays;
static const long max_delays = 50000000;

static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    exit(1);
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}

static void send_all(int fd, const void *data, size_t count) {
    const char *bytes = data;
    while (count) {
        ssize_t sent = send(fd, bytes, count, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN) fail("send: %s", strerror(errno));
        if (sent < 0) {
            usleep(200);
            continue;
        }
        bytes += sent;
        count -= sent;
    }
}

// A key of zeros masks nothing, and is a key.
static void send_frame(int fd, int opcode, const char *text) {
    unsigned char frame[4096];
    size_t count = strlen(text), size = 2;
    if (count + 8 > sizeof frame) fail("The subscription is too long.");
    frame[0] = 0x80 | opcode;
    if (count < 126) {
        frame[1] = 0x80 | count;
    } else {
        frame[1] = 0x80 | 126;
        frame[2] = count >> 8;
        frame[3] = count & 255;
        size = 4;
    }
    memset(frame + size, 0, 4);
    memcpy(frame + size + 4, text, count);
    send_all(fd, frame, size + 4 + count);
}

static void receive_text(struct subscriber *subscriber, char *text, size_t count) {
    if (memmem(text, count < 64 ? count : 64, "\"connection_ack\"", 16)) {
        char message[3800];
        snprintf(
            message, sizeof message, "{\"id\":\"1\",\"type\":\"subscribe\",\"payload\":{\"query\":\"%s\"}}", subscription);
        send_frame(subscriber->fd, 1, message);
        subscriber->state = SUBSCRIBED;
        subscribed++;
    } else if (memmem(text, count, "\"type\":\"ping\"", 13)) {
        send_frame(subscriber->fd, 1, "{\"type\":\"pong\"}");
    } else if (memmem(text, count, "\"type\":\"next\"", 13)) {
        char *stamp = memmem(text, count, "ts=", 3);
        long long sent = stamp ? atoll(stamp + 3) : 0;
        if (!is_measured || sent < first_event) return;
        if (received < max_delays) delays[received] = now() - sent;
        received++;
        received_of_current += sent == current_event;
    } else if (memmem(text, count, "\"type\":\"error\"", 14) || memmem(text, count, "\"type\":\"complete\"", 17)) {
        fail("The server sent %.*s", (int)count, text);
    }
}

// Returns how many bytes were whole messages.
static size_t receive_messages(struct subscriber *subscriber, char *bytes, size_t count) {
    size_t done = 0;
    if (subscriber->state == UPGRADING) {
        char *end = memmem(bytes, count, "\r\n\r\n", 4);
        if (!end) return 0;
        if (strncmp(bytes, "HTTP/1.1 101", 12)) fail("The server answered %.*s", (int)count, bytes);
        done = end + 4 - bytes;
        subscriber->state = STARTING;
        send_frame(subscriber->fd, 1, "{\"type\":\"connection_init\"}");
    }
    while (count - done >= 2) {
        unsigned char *frame = (unsigned char *)bytes + done;
        size_t size = frame[1] & 127, head = 2;
        if (size == 126) {
            head = 4;
            if (count - done < head) break;
            size = frame[2] << 8 | frame[3];
        } else if (size == 127) {
            fail("A message of over 64 KiB came.");
        }
        if (count - done < head + size) break;
        char *payload = bytes + done + head;
        switch (frame[0] & 15) {
        case 1: receive_text(subscriber, payload, size); break;
        case 8: fail("The server closed: %.*s", (int)size - 2, payload + 2);
        case 9: send_frame(subscriber->fd, 10, ""); break;
        }
        done += head + size;
    }
    return done;
}

static void receive_bytes(struct subscriber *subscriber) {
    while (1) {
        size_t kept = subscriber->rest_size;
        memcpy(input, subscriber->rest, kept);
        ssize_t count = recv(subscriber->fd, input + kept, sizeof input - kept - 1, 0);
        if (count < 0 && errno == EAGAIN) return;
        if (count <= 0) fail("The server ended a connection.");
        size_t filled = kept + count;
        input[filled] = 0;
        size_t done = receive_messages(subscriber, input, filled);
        free(subscriber->rest);
        subscriber->rest = NULL;
        subscriber->rest_size = filled - done;
        if (subscriber->rest_size) {
            subscriber->rest = malloc(subscriber->rest_size);
            memcpy(subscriber->rest, input + done, subscriber->rest_size);
        }
        if (filled < sizeof input / 2) return;
    }
}

static int connect_to_server(int flags) {
    int fd = socket(AF_INET, SOCK_STREAM | flags, 0), one = 1;
    if (fd < 0) fail("socket: %s", strerror(errno));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) && errno != EINPROGRESS)
        fail("connect: %s", strerror(errno));
    return fd;
}

static void watch(int operation, int fd, int events, int index) {
    struct epoll_event event = {.events = events, .data.u32 = index};
    if (epoll_ctl(poller, operation, fd, &event)) fail("epoll_ctl: %s", strerror(errno));
}

static void poll_for(int milliseconds) {
    struct epoll_event events[512];
    int count = epoll_wait(poller, events, 512, milliseconds);
    for (int i = 0; i < count; i++) {
        int index = events[i].data.u32;
        if (index == sockets) {
            static char answer[1 << 16];
            ssize_t size = recv(publisher, answer, sizeof answer - 1, MSG_DONTWAIT);
            if (size == 0) fail("The server ended the publisher's connection.");
            if (size > 0 && (answer[size] = 0, strstr(answer, "\"errors\"") || !strncmp(answer, "HTTP/1.1 4", 10)))
                fail("Publishing was answered by %s", answer);
            continue;
        }
        struct subscriber *subscriber = subscribers + index;
        if (subscriber->state != CONNECTING) {
            receive_bytes(subscriber);
            continue;
        }
        char request[512];
        snprintf(
            request, sizeof request,
            "GET /graphql HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n",
            port);
        send_all(subscriber->fd, request, strlen(request));
        subscriber->state = UPGRADING;
        watch(EPOLL_CTL_MOD, subscriber->fd, EPOLLIN, index);
    }
}

static void poll_until(long long time) {
    for (long long left; (left = time - now()) > 0;) poll_for(left > 1000 ? left / 1000 : 1);
}

static void publish(void) {
    static char body[16384], request[20480];
    char authorization[2048] = "";
    current_event = now();
    received_of_current = 0;
    const char *mark = strstr(publish_body, "@TS@");
    if (!mark) fail("The body has no @TS@.");
    snprintf(body, sizeof body, "%.*sts=%lld%s", (int)(mark - publish_body), publish_body, current_event, mark + 4);
    if (token) snprintf(authorization, sizeof authorization, "Authorization: Bearer %s\r\n", token);
    snprintf(
        request, sizeof request,
        "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n%sContent-Length: %zu\r\n\r\n%s",
        publish_path, port, authorization, strlen(body), body);
    send_all(publisher, request, strlen(request));
}

// Of the server, in KiB.
static long memory(void) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", server_pid);
    FILE *file = fopen(path, "r");
    long size = 0;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "Pss: %ld", &size) == 1) break;
    if (file) fclose(file);
    return size;
}

// Of the server, in seconds.
static double processor_time(void) {
    char path[64], line[1024];
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", server_pid);
    FILE *file = fopen(path, "r");
    if (file && fgets(line, sizeof line, file))
        sscanf(strrchr(line, ')') + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system);
    if (file) fclose(file);
    return (user + system) / (double)sysconf(_SC_CLK_TCK);
}

static int compare(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void subscribe_all(void) {
    long long deadline = now() + 120000000;
    for (int i = 0; i < sockets || subscribed < sockets;) {
        // The server's queue of new connections is short.
        for (int limit = subscribed + 200; i < sockets && i < limit; i++) {
            subscribers[i].fd = connect_to_server(SOCK_NONBLOCK);
            watch(EPOLL_CTL_ADD, subscribers[i].fd, EPOLLOUT, i);
        }
        poll_for(1000);
        if (now() > deadline) fail("Only %d sockets subscribed in two minutes.", subscribed);
    }
}

int main(int count, char **arguments) {
    for (int option; (option = getopt(count, arguments, "p:n:t:r:s:u:b:a:i:")) > 0;) switch (option) {
        case 'p': port = atoi(optarg); break;
        case 'n': sockets = atoi(optarg); break;
        case 't': seconds = atoi(optarg); break;
        case 'r': rate = atof(optarg); break;
        case 's': subscription = optarg; break;
        case 'u': publish_path = optarg; break;
        case 'b': publish_body = optarg; break;
        case 'a': token = optarg; break;
        case 'i': server_pid = atoi(optarg); break;
        default: return 2;
        }
    struct rlimit files = {sockets + 100, sockets + 100};
    if (setrlimit(RLIMIT_NOFILE, &files)) fail("%d files may not be open at once.", sockets);
    subscribers = calloc(sockets, sizeof *subscribers);
    delays = malloc(max_delays * sizeof *delays);
    poller = epoll_create1(0);

    long memory_before = memory();
    long long begin = now();
    subscribe_all();
    double connected = (now() - begin) / 1e6;
    poll_until(now() + 2000000);
    long memory_after = memory();
    publisher = connect_to_server(0);
    watch(EPOLL_CTL_ADD, publisher, EPOLLIN, sockets);
    for (int i = 0; i < 3; i++) {
        publish();
        poll_until(now() + 500000);
    }

    is_measured = 1;
    begin = first_event = now();
    double processor = processor_time();
    long published = 0;
    long long due = begin, end = begin + seconds * 1000000LL;
    while (now() < end) {
        if (rate > 0 && now() >= due) {
            publish();
            published++;
            due += 1e6 / rate;
        } else if (rate == 0 && (!published || received_of_current >= sockets)) {
            publish();
            published++;
        }
        poll_for(rate > 0 && due - now() < 2000 ? 0 : 1);
    }
    for (long long limit = now() + 10000000; received < published * sockets && now() < limit;) poll_for(10);
    double elapsed = (now() - begin) / 1e6;
    processor = processor_time() - processor;

    long known = received < max_delays ? received : max_delays;
    qsort(delays, known, sizeof *delays, compare);
    printf(
        "{\"sockets\":%d,\"connect_s\":%.1f,\"kib_per_socket\":%.2f,\"published\":%ld,\"received\":%ld,\"missing\":%ld,"
        "\"received_per_s\":%.0f,\"p50_ms\":%.1f,\"p99_ms\":%.1f,\"max_ms\":%.1f,\"server_cpu_us_per_event\":%.2f}\n",
        sockets, connected, (double)(memory_after - memory_before) / sockets, published, received,
        published * sockets - received, received / elapsed, known ? delays[known / 2] / 1e3 : 0,
        known ? delays[known * 99 / 100] / 1e3 : 0, known ? delays[known - 1] / 1e3 : 0,
        received ? processor / received * 1e6 : 0);
    return 0;
}
