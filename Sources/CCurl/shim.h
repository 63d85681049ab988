#ifndef TERTULIA_CCURL_H
#define TERTULIA_CCURL_H

#include <curl/curl.h>

/* Functions with variable arguments are not imported into Swift. */

static inline CURLcode tertulia_curl_set_string(CURL *curl, CURLoption option, const char *value) {
    return curl_easy_setopt(curl, option, value);
}

static inline CURLcode tertulia_curl_set_long(CURL *curl, CURLoption option, long value) {
    return curl_easy_setopt(curl, option, value);
}

static inline CURLcode tertulia_curl_set_list(CURL *curl, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(curl, option, value);
}

static inline CURLcode tertulia_curl_set_reader(CURL *curl, curl_read_callback reader, void *source) {
    CURLcode code = curl_easy_setopt(curl, CURLOPT_READFUNCTION, reader);
    return code != CURLE_OK ? code : curl_easy_setopt(curl, CURLOPT_READDATA, source);
}

static inline CURLcode tertulia_curl_response_code(CURL *curl, long *code) {
    return curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, code);
}

#endif
