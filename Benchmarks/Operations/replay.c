// Sends recorded statements by libpq in pipeline mode, on one thread, and looks at the answers only for errors.
//
//   replay CONNINFO OPTIONS SCRIPT THOUGHTS VIEWERS CONNECTIONS DEPTH REQUESTS SECONDS
//
// SCRIPT has the segments of one request, all numbers as four bytes, little-endian: whether the last segment is a
// durable commit; the number of segments; for each the number of statements; for each the text, after its length, and
// the number of values; for each the type, the length or -1, the bytes, the number of places, and for each its offset
// and kind. At a place of a request its own thought, viewer or new id goes in. THOUGHTS and VIEWERS have ids of 16
// bytes, of which each request takes one at random. On each connection DEPTH requests are under way at most, and
// REQUESTS on all.
//
// With a durable commit a request is done when a durable commit that was sent after its answer is acknowledged. One is
// under way at a time, on the connection that gave the first answer, and covers all answers that have gathered: as
// `CommitState` of the server does.
//
// Requests are counted after half a second of warming up. Prints requests, microseconds, and the rows of the answers.
#define _GNU_SOURCE
#include <errno.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THOUGHT, VIEWER, VIEWER_TEXT, NEW_ID };

struct place {
    unsigned offset, kind;
};

struct value {
    char *bytes;
    unsigned place_count;
    struct place *places;
};

struct statement {
    char *text, name[16];
    unsigned count;
    // The arrays that libpq takes.
    Oid *types;
    const char **bytes;
    int *lengths, *formats;
    struct value *values;
};

struct segment {
    unsigned count;
    struct statement *statements;
};

// What is acknowledged when a segment is answered.
enum kind { PART, REQUEST, DURABLE_COMMIT };

struct connection {
    PGconn *libpq;
    enum kind *sent;
    unsigned first, count, room, requests;
};

static struct segment *segments;
static unsigned segment_count, has_durable, connection_count, depth, most_requests;
static struct connection *connections;
static unsigned char *thoughts, *viewers;
static long thought_count, viewer_count;
// Requests that are sent and not done, whose answers are held, that the durable commit under way covers, and that are
// done.
static long outstanding, held, covered, done, rows;
static int is_committing;

static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    exit(1);
}

// Microseconds.
static long long now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}

// xorshift64*
static unsigned long long random_bits(void) {
    static unsigned long long state = 0x9E3779B97F4A7C15;
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1D;
}

static unsigned char *read_ids(const char *path, long *count) {
    FILE *file = fopen(path, "rb");
    if (!file) fail("%s: %s", path, strerror(errno));
    fseek(file, 0, SEEK_END);
    *count = ftell(file) / 16;
    rewind(file);
    unsigned char *ids = malloc(*count * 16);
    if (*count == 0 || fread(ids, 16, *count, file) != (size_t)*count) fail("%s has no ids", path);
    fclose(file);
    return ids;
}

static void take(FILE *file, void *bytes, size_t size) {
    if (size && fread(bytes, size, 1, file) != 1) fail("the script ends early");
}

static unsigned take_number(FILE *file) {
    unsigned number;
    take(file, &number, 4);
    return number;
}

static void read_value(FILE *file, struct statement *statement, unsigned index) {
    struct value *value = &statement->values[index];
    statement->types[index] = take_number(file);
    int length = statement->lengths[index] = (int)take_number(file);
    statement->formats[index] = 1;
    // An empty value needs an address as well, since a null pointer means NULL.
    value->bytes = length < 0 ? NULL : malloc(length + 1);
    statement->bytes[index] = value->bytes;
    take(file, value->bytes, length < 0 ? 0 : length);
    value->place_count = take_number(file);
    value->places = calloc(value->place_count + 1, sizeof *value->places);
    take(file, value->places, value->place_count * sizeof *value->places);
}

static void read_statement(FILE *file, struct statement *statement) {
    static int number;
    snprintf(statement->name, sizeof statement->name, "s%d", ++number);
    unsigned length = take_number(file);
    statement->text = calloc(length + 1, 1);
    take(file, statement->text, length);
    unsigned count = statement->count = take_number(file);
    statement->types = calloc(count + 1, sizeof *statement->types);
    statement->bytes = calloc(count + 1, sizeof *statement->bytes);
    statement->lengths = calloc(count + 1, sizeof *statement->lengths);
    statement->formats = calloc(count + 1, sizeof *statement->formats);
    statement->values = calloc(count + 1, sizeof *statement->values);
    for (unsigned i = 0; i < count; i++) read_value(file, statement, i);
}

static void read_script(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) fail("%s: %s", path, strerror(errno));
    has_durable = take_number(file);
    segment_count = take_number(file);
    segments = calloc(segment_count, sizeof *segments);
    for (unsigned i = 0; i < segment_count; i++) {
        segments[i].count = take_number(file);
        segments[i].statements = calloc(segments[i].count, sizeof *segments[i].statements);
        for (unsigned j = 0; j < segments[i].count; j++) read_statement(file, &segments[i].statements[j]);
    }
    fclose(file);
}

static void open_connection(struct connection *connection, const char *conninfo, const char *options) {
    const char *names[] = {"dbname", "options", "client_encoding", NULL}, *values[] = {conninfo, options, "UTF8", NULL};
    PGconn *libpq = connection->libpq = PQconnectdbParams(names, values, 1);
    if (PQstatus(libpq) != CONNECTION_OK) fail("%s", PQerrorMessage(libpq));
    for (unsigned i = 0; i < segment_count; i++)
        for (unsigned j = 0; j < segments[i].count; j++) {
            struct statement *statement = &segments[i].statements[j];
            PGresult *result = PQprepare(libpq, statement->name, statement->text, statement->count, statement->types);
            if (PQresultStatus(result) != PGRES_COMMAND_OK) fail("%s", PQresultErrorMessage(result));
            PQclear(result);
        }
    if (PQsetnonblocking(libpq, 1) || !PQenterPipelineMode(libpq)) fail("%s", PQerrorMessage(libpq));
    connection->room = depth * segment_count + 1;
    connection->sent = calloc(connection->room, sizeof *connection->sent);
}

static void write_text(char *text, const unsigned char *id) {
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) *text++ = '-';
        *text++ = "0123456789abcdef"[id[i] >> 4];
        *text++ = "0123456789abcdef"[id[i] & 15];
    }
}

// RFC 9562, section 5.7: the server's new ids rise as well, so that they meet in the same pages of an index.
static void make_id(unsigned char *id) {
    unsigned long long milliseconds = now(CLOCK_REALTIME) / 1000, high = random_bits(), low = random_bits();
    for (int i = 0; i < 6; i++) id[i] = milliseconds >> (40 - 8 * i);
    id[6] = 0x70 | (high & 15);
    id[7] = high >> 8;
    memcpy(id + 8, &low, 8);
    id[8] = 0x80 | (id[8] & 0x3f);
}

static void send_segment(struct connection *connection, struct segment *segment, enum kind kind) {
    for (unsigned i = 0; i < segment->count; i++) {
        struct statement *statement = &segment->statements[i];
        if (!PQsendQueryPrepared(connection->libpq, statement->name, statement->count, statement->bytes,
                                 statement->lengths, statement->formats, 1))
            fail("%s", PQerrorMessage(connection->libpq));
    }
    if (!PQpipelineSync(connection->libpq)) fail("%s", PQerrorMessage(connection->libpq));
    connection->sent[(connection->first + connection->count++) % connection->room] = kind;
}

static void send_request(struct connection *connection) {
    const unsigned char *thought = thoughts + 16 * (random_bits() % thought_count);
    const unsigned char *viewer = viewers + 16 * (random_bits() % viewer_count);
    unsigned char new_id[16];
    make_id(new_id);
    unsigned last = segment_count - has_durable;
    for (unsigned i = 0; i < last; i++) {
        for (unsigned j = 0; j < segments[i].count; j++)
            for (unsigned k = 0; k < segments[i].statements[j].count; k++) {
                struct value *value = &segments[i].statements[j].values[k];
                for (unsigned p = 0; p < value->place_count; p++) {
                    char *at = value->bytes + value->places[p].offset;
                    switch (value->places[p].kind) {
                    case THOUGHT: memcpy(at, thought, 16); break;
                    case VIEWER: memcpy(at, viewer, 16); break;
                    case VIEWER_TEXT: write_text(at, viewer); break;
                    case NEW_ID: memcpy(at, new_id, 16); break;
                    }
                }
            }
        send_segment(connection, &segments[i], i + 1 < last ? PART : REQUEST);
    }
    connection->requests++;
    outstanding++;
}

static void send_durable_commit(struct connection *connection) {
    is_committing = held > 0;
    covered = held;
    held = 0;
    if (!is_committing) return;
    connection->requests++;
    send_segment(connection, &segments[segment_count - 1], DURABLE_COMMIT);
}

static void finish(long count) {
    done += count;
    outstanding -= count;
}

static void answered(struct connection *connection) {
    enum kind kind = connection->sent[connection->first];
    connection->first = (connection->first + 1) % connection->room;
    connection->count--;
    if (kind == PART) return;
    connection->requests--;
    if (kind == DURABLE_COMMIT) {
        finish(covered);
        send_durable_commit(connection);
    } else if (has_durable) {
        held++;
        if (!is_committing) send_durable_commit(connection);
    } else {
        finish(1);
    }
}

static void read_answers(struct connection *connection) {
    PGconn *libpq = connection->libpq;
    if (!PQconsumeInput(libpq)) fail("%s", PQerrorMessage(libpq));
    int ends_in_a_row = 0;
    while (connection->count && !PQisBusy(libpq)) {
        PGresult *result = PQgetResult(libpq);
        if (!result) {
            // A null ends the results of a statement. After two in a row libpq has no more for now.
            if (++ends_in_a_row == 2) break;
            continue;
        }
        ends_in_a_row = 0;
        ExecStatusType status = PQresultStatus(result);
        if (status == PGRES_FATAL_ERROR || status == PGRES_PIPELINE_ABORTED) fail("%s", PQresultErrorMessage(result));
        rows += PQntuples(result);
        PQclear(result);
        if (status == PGRES_PIPELINE_SYNC) answered(connection);
    }
}

static void run(long long end) {
    struct pollfd sockets[connection_count];
    while (now(CLOCK_MONOTONIC) < end) {
        for (unsigned i = 0; i < connection_count; i++) {
            struct connection *connection = &connections[i];
            while (connection->requests < depth && outstanding < most_requests) send_request(connection);
            int unsent = PQflush(connection->libpq);
            if (unsent < 0) fail("%s", PQerrorMessage(connection->libpq));
            sockets[i] = (struct pollfd){PQsocket(connection->libpq), POLLIN | (unsent ? POLLOUT : 0), 0};
        }
        if (poll(sockets, connection_count, 100) < 0 && errno != EINTR) fail("poll: %s", strerror(errno));
        for (unsigned i = 0; i < connection_count; i++)
            if (sockets[i].revents & ~POLLOUT) read_answers(&connections[i]);
    }
}

int main(int argc, char **argv) {
    if (argc != 10) fail("replay CONNINFO OPTIONS SCRIPT THOUGHTS VIEWERS CONNECTIONS DEPTH REQUESTS SECONDS");
    read_script(argv[3]);
    thoughts = read_ids(argv[4], &thought_count);
    viewers = read_ids(argv[5], &viewer_count);
    connection_count = atoi(argv[6]);
    depth = atoi(argv[7]);
    most_requests = atoi(argv[8]);
    connections = calloc(connection_count, sizeof *connections);
    for (unsigned i = 0; i < connection_count; i++) open_connection(&connections[i], argv[1], argv[2]);
    run(now(CLOCK_MONOTONIC) + 500000);
    long done_before = done, rows_before = rows;
    long long begin = now(CLOCK_MONOTONIC);
    run(begin + (long long)(atof(argv[9]) * 1e6));
    long long microseconds = now(CLOCK_MONOTONIC) - begin;
    printf("%ld %lld %ld\n", done - done_before, microseconds, rows - rows_before);
    for (unsigned i = 0; i < connection_count; i++) PQfinish(connections[i].libpq);
    return 0;
}
