/* dispatch.h - how a handler goes on to the next operation: a call that compilers turn into a jump. Where they do not
 * (sanitizers, no optimisation) it returns the next operation to the loop in `go`. */
#ifndef WEFT_EXEC_DISPATCH_H
#define WEFT_EXEC_DISPATCH_H

#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(WEFT_NO_TAIL_CALLS)
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define RETURN_TO_LOOP 1
#endif
#endif
#else
#define RETURN_TO_LOOP 1
#endif

#if defined(RETURN_TO_LOOP)
#define GO_ON(next) return (next)
#elif defined(__clang__)
#define GO_ON(next)                                                                                                  \
    do {                                                                                                             \
        const struct lop *go_ = (next);                                                                              \
        __attribute__((musttail)) return go_->fn(f, go_);                                                            \
    } while (0)
#else
#define GO_ON(next)                                                                                                  \
    do {                                                                                                             \
        const struct lop *go_ = (next);                                                                              \
        return go_->fn(f, go_);                                                                                      \
    } while (0)
#endif
#define NEXT GO_ON(op + 1)

/* The same with what a function says comes next: NULL when the warp stops. */
#define GO_ON_OR_STOP(next)                                                                                          \
    do {                                                                                                             \
        const struct lop *or_ = (next);                                                                              \
        if (!or_)                                                                                                    \
            return NULL;                                                                                             \
        GO_ON(or_);                                                                                                  \
    } while (0)

#endif
