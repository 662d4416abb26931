/* weft/api.h - the macro that marks a symbol as part of the public interface, and the rule of structs that grow.
 *
 * Structs that a caller fills with options begin with `size_t size`, and later versions add members at their end. Set
 * size to sizeof the struct, as the functions that fill in defaults do (weft_draw_params_init and the like), or leave
 * it 0: that means the struct as it was in version 0.2.0, and the members that came later are not looked at. A
 * size that the struct never had is WEFT_ERROR_USAGE, and so is a member beyond those that the library in use knows,
 * unless it is zero; zero is the default of every member that comes later. In C, `= {0}` and designated initialisers go
 * on compiling when a struct grows. Structs that a call fills with results and that have a size go by the same rule:
 * set it before the call, and no more than that is written.
 */
#ifndef WEFT_API_H
#define WEFT_API_H

#if defined(__GNUC__)
#define WEFT_API __attribute__((visibility("default")))
#else
#define WEFT_API
#endif

#endif
