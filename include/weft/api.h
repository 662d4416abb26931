/* weft/api.h - the one macro that marks a symbol as part of the public interface. */
#ifndef WEFT_API_H
#define WEFT_API_H

#if defined(__GNUC__)
#define WEFT_API __attribute__((visibility("default")))
#else
#define WEFT_API
#endif

#endif
