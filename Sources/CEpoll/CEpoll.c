#define _GNU_SOURCE
#include <pthread.h>
#include "CEpoll.h"

void cepoll_name_current_thread(const char *name) {
    pthread_setname_np(pthread_self(), name);
}
