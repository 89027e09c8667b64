/* platform/http_page.h: one page, served by HTTP/1.1 from a thread of its own until it is stopped. Nothing but GET of
 * that page is answered with it; a request is small, and who is slow is sent away. Built on libuv. */
#ifndef PLATFORM_HTTP_PAGE_H
#define PLATFORM_HTTP_PAGE_H

#include "platform/error.h"

#include <stdbool.h>
#include <stdint.h>

struct http_page;

/* The page as it is now, for free(), from the server's thread; NULL = it cannot be made. */
typedef char *(*http_page_make)(void *context);

/* Is it an IPv4 or IPv6 address in numbers? */
bool http_page_is_address(const char *text);

/* Listens at an IPv4 or IPv6 address of this machine; every other path than `path` is not found. The texts must stay.
 * False, naming the address, when it is none or taken. */
bool http_page_serve(struct http_page **out, const char *address, uint16_t port, const char *path, const char *type,
                     http_page_make make, void *context, struct error *error);
void http_page_stop(struct http_page *page); /* NULL is fine */

#endif
