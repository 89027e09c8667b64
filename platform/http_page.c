#include "platform/http_page.h"

#include "platform/compiler.h"
#include "platform/process.h"
#include "platform/thread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#define REQUEST_BYTES 8192 /* all of a request's head */
#define CLIENTS_MAX 64
#define CLIENT_MS 10000 /* that one may take for all of it */
#define SWEEP_MS 1000
#define BACKLOG 16

struct http_page {
    const char *path, *type;
    http_page_make make;
    void *context;
    uv_loop_t loop;
    uv_tcp_t listener;
    uv_async_t stop;
    uv_timer_t sweep;
    struct thread *thread;
    struct client *clients;
    uint32_t clients_count;
};

struct client {
    uv_tcp_t tcp;
    uv_write_t write;
    uv_shutdown_t shutdown;
    struct http_page *page;
    struct client *next;
    uint64_t until_ms;
    bool answered;
    size_t used;
    char request[REQUEST_BYTES + 1];
    char head[512];
    char *body;
};

/* ---- one client ---- */

static void forget(uv_handle_t *handle)
{
    struct client *client = handle->data;
    struct client **at = &client->page->clients;
    while (*at != client)
        at = &(*at)->next;
    *at = client->next;
    --client->page->clients_count;
    free(client->body);
    free(client);
}

static void drop(struct client *client)
{
    if (!uv_is_closing((uv_handle_t *)&client->tcp))
        uv_close((uv_handle_t *)&client->tcp, forget);
}

/* The client closes when it has read all; closing first could take what it has not read from it. */
static void on_shutdown(uv_shutdown_t *shutdown, int status)
{
    if (status < 0)
        drop(shutdown->data);
}

static void on_written(uv_write_t *write, int status)
{
    struct client *client = write->data;
    client->shutdown.data = client;
    if (status < 0 || uv_shutdown(&client->shutdown, (uv_stream_t *)&client->tcp, on_shutdown) != 0)
        drop(client);
}

/* Takes `body` over. */
static void answer(struct client *client, const char *status, const char *type, const char *more, char *body)
{
    size_t bytes = body != NULL ? strlen(body) : 0;
    client->answered = true;
    client->body = body;
    int head = snprintf(client->head, sizeof client->head,
                        "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%sConnection: close\r\n\r\n", status,
                        type, bytes, more);
    uv_buf_t parts[] = {uv_buf_init(client->head, (unsigned)head), uv_buf_init(body, (unsigned)bytes)};
    client->write.data = client;
    if (uv_write(&client->write, (uv_stream_t *)&client->tcp, parts, bytes > 0 ? 2 : 1, on_written) != 0)
        drop(client);
}

static char *line_of(const char *status)
{
    size_t bytes = strlen(status) + 2;
    char *line = malloc(bytes);
    if (line != NULL)
        snprintf(line, bytes, "%s\n", status);
    return line;
}

static void refuse(struct client *client, const char *status, const char *more)
{
    answer(client, status, "text/plain; charset=utf-8", more, line_of(status));
}

static bool is_token(const char *text, size_t length)
{
    size_t letters = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-");
    return length > 0 && letters >= length;
}

/* "GET /metrics?x HTTP/1.1": RFC 9112, section 3. Its three words, or false. */
struct request_line {
    const char *method, *target, *version;
    size_t method_bytes, target_bytes, version_bytes;
};

static bool parse_line(const char *line, struct request_line *out)
{
    out->method = line;
    out->method_bytes = strcspn(line, " \r\n");
    if (line[out->method_bytes] != ' ')
        return false;
    out->target = line + out->method_bytes + 1;
    out->target_bytes = strcspn(out->target, " \r\n");
    if (out->target[out->target_bytes] != ' ')
        return false;
    out->version = out->target + out->target_bytes + 1;
    out->version_bytes = strcspn(out->version, " \r\n");
    return is_token(out->method, out->method_bytes) && out->target[0] == '/' && out->version_bytes == 8 &&
           strncmp(out->version, "HTTP/1.", 7) == 0;
}

static void reply(struct client *client)
{
    struct http_page *page = client->page;
    struct request_line line;
    if (!parse_line(client->request, &line)) {
        refuse(client, "400 Bad Request", "");
        return;
    }
    size_t path_bytes = strcspn(line.target, " ?");
    if (path_bytes != strlen(page->path) || strncmp(line.target, page->path, path_bytes) != 0) {
        refuse(client, "404 Not Found", "");
    } else if (line.method_bytes != 3 || strncmp(line.method, "GET", 3) != 0) {
        refuse(client, "405 Method Not Allowed", "Allow: GET\r\n");
    } else {
        char *body = page->make(page->context);
        if (body != NULL)
            answer(client, "200 OK", page->type, "", body);
        else
            refuse(client, "503 Service Unavailable", "");
    }
}

/* ---- what libuv calls ---- */

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *out)
{
    struct client *client = handle->data;
    (void)suggested;
    if (client->answered) /* what else it sends is read, so that it gets the answer, and forgotten */
        client->used = 0;
    *out = uv_buf_init(client->request + client->used, (unsigned)(REQUEST_BYTES - client->used));
}

/* The head ends with an empty line; a NUL in it is in no request. */
static bool head_is_whole(const struct client *client)
{
    return strstr(client->request, "\r\n\r\n") != NULL || strstr(client->request, "\n\n") != NULL;
}

static void on_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *buffer)
{
    struct client *client = stream->data;
    (void)buffer;
    if (got < 0)
        drop(client);
    if (got <= 0 || client->answered)
        return;
    client->used += (size_t)got;
    client->request[client->used] = '\0';
    bool has_nul = memchr(client->request, '\0', client->used) != NULL;
    if (!has_nul && head_is_whole(client))
        reply(client);
    else if (has_nul || client->used == REQUEST_BYTES)
        refuse(client, "400 Bad Request", "");
}

static void on_client(uv_stream_t *listener, int status)
{
    struct http_page *page = listener->data;
    struct client *client = status == 0 ? calloc(1, sizeof *client) : NULL;
    if (client == NULL || uv_tcp_init(&page->loop, &client->tcp) != 0) {
        free(client);
        return;
    }
    client->tcp.data = client;
    client->page = page;
    client->next = page->clients;
    client->until_ms = uv_now(&page->loop) + CLIENT_MS;
    page->clients = client;
    ++page->clients_count;
    if (uv_accept(listener, (uv_stream_t *)&client->tcp) != 0 || page->clients_count > CLIENTS_MAX ||
        uv_read_start((uv_stream_t *)&client->tcp, on_alloc, on_read) != 0)
        drop(client);
}

static void on_sweep(uv_timer_t *timer)
{
    struct http_page *page = timer->data;
    for (struct client *client = page->clients; client != NULL; client = client->next)
        if (uv_now(&page->loop) >= client->until_ms)
            drop(client);
}

static void close_handle(uv_handle_t *handle, void *argument)
{
    struct http_page *page = argument;
    bool is_own = handle == (uv_handle_t *)&page->listener || handle == (uv_handle_t *)&page->stop ||
                  handle == (uv_handle_t *)&page->sweep;
    if (!uv_is_closing(handle))
        uv_close(handle, is_own ? NULL : forget);
}

static void on_stop(uv_async_t *stop)
{
    struct http_page *page = stop->data;
    uv_walk(&page->loop, close_handle, page);
}

/* ---- its life ---- */

static void body(void *argument)
{
    struct http_page *page = argument;
    process_survive_broken_pipes();
    uv_run(&page->loop, UV_RUN_DEFAULT);
}

union place {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static int parse_place(const char *address, uint16_t port, union place *out)
{
    int status = uv_ip4_addr(address, port, &out->v4);
    return status == 0 ? 0 : uv_ip6_addr(address, port, &out->v6);
}

bool http_page_is_address(const char *text)
{
    union place place;
    return parse_place(text, 0, &place) == 0;
}

static int bind_to(struct http_page *page, const char *address, uint16_t port)
{
    union place at;
    int status = parse_place(address, port, &at);
    if (status == 0)
        status = uv_tcp_bind(&page->listener, &at.any, 0);
    return status == 0 ? uv_listen((uv_stream_t *)&page->listener, BACKLOG, on_client) : status;
}

static int start_handles(struct http_page *page)
{
    page->listener.data = page->stop.data = page->sweep.data = page;
    int status = uv_tcp_init(&page->loop, &page->listener);
    if (status == 0)
        status = uv_async_init(&page->loop, &page->stop, on_stop);
    if (status == 0)
        status = uv_timer_init(&page->loop, &page->sweep);
    return status == 0 ? uv_timer_start(&page->sweep, on_sweep, SWEEP_MS, SWEEP_MS) : status;
}

/* With its thread, or before it has one. */
static void page_free(struct http_page *page)
{
    if (page->thread == NULL) {
        uv_walk(&page->loop, close_handle, page);
        uv_run(&page->loop, UV_RUN_DEFAULT);
    } else {
        uv_async_send(&page->stop);
        thread_join(page->thread);
    }
    uv_loop_close(&page->loop);
    free(page);
}

bool http_page_serve(struct http_page **out, const char *address, uint16_t port, const char *path, const char *type,
                     http_page_make make, void *context, struct error *error)
{
    struct http_page *page = calloc(1, sizeof *page);
    if (page == NULL || uv_loop_init(&page->loop) != 0) {
        free(page);
        return error_set(error, ERR_SYSTEM, "not enough memory to serve a page");
    }
    page->path = path;
    page->type = type;
    page->make = make;
    page->context = context;
    int status = start_handles(page);
    if (status == 0)
        status = bind_to(page, address, port);
    bool good = status == 0 ? thread_start(&page->thread, body, page, 0, error)
                            : error_set(error, status == UV_EINVAL ? ERR_USAGE : ERR_SYSTEM,
                                        "cannot listen at %s, port %u: %s", address, port, uv_strerror(status));
    if (!good)
        page_free(page);
    else
        *out = page;
    return good;
}

void http_page_stop(struct http_page *page)
{
    if (page != NULL)
        page_free(page);
}
