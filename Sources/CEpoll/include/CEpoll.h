#ifndef CEPOLL_H
#define CEPOLL_H
#include <sys/epoll.h>
#include <sys/eventfd.h>

/* pthread_setname_np is declared only for _GNU_SOURCE, which Swift's Glibc module does not define. */
void cepoll_name_current_thread(const char *name);
#endif
