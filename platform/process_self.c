/* One child, one pipe from its stdout, and a loop of its own that ends when both have. */
#include "platform/path.h"
#include "platform/process.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

#define WORDS_MAX 8
#define PART_BYTES ((size_t)16 << 10)

struct answer {
    char *text;
    size_t used, room;
    int failure;    /* libuv's code, or 0 */
    int64_t status; /* of the child */
};

/* One byte more than is asked for, for the NUL. */
static void make_room(uv_handle_t *pipe, size_t suggested, uv_buf_t *out)
{
    struct answer *answer = pipe->data;
    (void)suggested;
    *out = uv_buf_init(NULL, 0); /* libuv says UV_ENOBUFS to that */
    if (answer->room - answer->used <= PART_BYTES) {
        char *grown = realloc(answer->text, 2 * answer->room + 2 * PART_BYTES);
        if (!grown)
            return;
        answer->text = grown;
        answer->room = 2 * answer->room + 2 * PART_BYTES;
    }
    *out = uv_buf_init(answer->text + answer->used, (unsigned)PART_BYTES);
}

static void take(uv_stream_t *pipe, ssize_t bytes, const uv_buf_t *unused)
{
    struct answer *answer = pipe->data;
    (void)unused;
    if (bytes >= 0) {
        answer->used += (size_t)bytes;
        return;
    }
    if (bytes != UV_EOF)
        answer->failure = (int)bytes;
    uv_close((uv_handle_t *)pipe, NULL);
}

static void child_ended(uv_process_t *child, int64_t status, int signal)
{
    struct answer *answer = child->data;
    answer->status = signal ? -1 : status;
    uv_close((uv_handle_t *)child, NULL);
}

static int start(uv_loop_t *loop, uv_process_t *child, uv_pipe_t *pipe, char **argv)
{
    uv_stdio_container_t streams[3] = {{.flags = UV_IGNORE},
                                       {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)pipe},
                                       {.flags = UV_IGNORE}};
    uv_process_options_t options = {.exit_cb = child_ended,
                                    .file = argv[0],
                                    .args = argv,
                                    .flags = UV_PROCESS_WINDOWS_HIDE,
                                    .stdio_count = 3,
                                    .stdio = streams};
    int failure = uv_pipe_init(loop, pipe, 0);
    if (failure)
        return failure;
    failure = uv_spawn(loop, child, &options);
    if (failure)
        uv_close((uv_handle_t *)child, NULL);
    else
        failure = uv_read_start((uv_stream_t *)pipe, make_room, take);
    if (failure)
        uv_close((uv_handle_t *)pipe, NULL);
    return failure;
}

static void ask(char **argv, struct answer *answer)
{
    uv_loop_t loop;
    uv_process_t child;
    uv_pipe_t pipe;
    answer->failure = uv_loop_init(&loop);
    if (answer->failure)
        return;
    child.data = pipe.data = answer;
    int failure = start(&loop, &child, &pipe, argv);
    uv_run(&loop, UV_RUN_DEFAULT);
    if (failure)
        answer->failure = failure;
    uv_loop_close(&loop);
}

char *process_ask_self(const char *const *words, struct error *error)
{
    char path[PATH_BYTES];
    size_t bytes = sizeof(path), count = 0;
    char *argv[WORDS_MAX + 2] = {path};
    struct answer answer = {0};
    for (; words[count] && count < WORDS_MAX; ++count)
        argv[count + 1] = (char *)words[count]; /* libuv copies them */
    answer.failure = uv_exepath(path, &bytes);
    if (!answer.failure)
        ask(argv, &answer);
    if (!answer.failure && answer.status == 0 && answer.text) {
        answer.text[answer.used] = '\0';
        return answer.text;
    }
    if (answer.failure)
        error_set(error, ERR_SYSTEM, "cannot run this program again as `isobench %s`: %s", words[0],
                  uv_strerror(answer.failure));
    else
        error_set(error, ERR_SYSTEM, "`isobench %s` failed with status %d", words[0], (int)answer.status);
    free(answer.text);
    return NULL;
}
