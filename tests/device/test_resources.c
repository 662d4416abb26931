/* The flat addresses of buffers and images (ir/io.h): each in 4 GiB of its own, whatever its size. */
#include "test.h"

#include "device/image_access.h"
#include "device/resources.h"
#include "ir/io.h"

static uint8_t some[4]; /* nothing is read or written */

static const struct exec_range *range_at(const struct resources *r, uint64_t address)
{
    for (uint32_t i = 0; i < r->bus.nranges; i++)
        if (r->bus.ranges[i].first == address)
            return &r->bus.ranges[i];
    return NULL;
}

static void mapped(const struct resources *r, uint64_t address, uint64_t size, bool read_only)
{
    const struct exec_range *range = range_at(r, address);
    assert_non_null(range);
    assert_int_equal(range->size, size);
    assert_ptr_equal(range->data, some);
    assert_int_equal(range->read_only, read_only);
}

static void places(void **state)
{
    (void)state;
    struct resources r = {0};
    struct weft_texture texture = {.data = some, .size = 4};
    const struct image_view image = {.texture = &texture};
    r.constants[3] = (struct exec_buffer){some, 4};
    r.storage[0] = (struct exec_buffer){some, 3};
    r.storage[63] = (struct exec_buffer){some, 1};
    r.images[31] = &image;
    resources_map(&r);
    assert_int_equal(r.bus.nranges, 4);
    for (uint32_t i = 1; i < r.bus.nranges; i++)
        assert_true(r.bus.ranges[i].first > r.bus.ranges[i - 1].first); /* as the bus wants them */
    mapped(&r, UINT64_C(0x103) << 32, 4, true);
    mapped(&r, UINT64_C(0x200) << 32, 3, false);
    mapped(&r, UINT64_C(0x23f) << 32, 1, false);
    mapped(&r, UINT64_C(0x31f) << 32, 4, false);
}

static void larger_than_its_range(void **state)
{
    (void)state;
    struct resources r = {0};
    r.storage[0] = (struct exec_buffer){some, UINT64_C(0x100000001)};
    r.storage[1] = (struct exec_buffer){some, UINT64_C(0xffffffff)};
    r.storage[2] = (struct exec_buffer){some, UINT64_C(0x100000000)};
    resources_map(&r);
    mapped(&r, UINT64_C(0x200) << 32, UINT64_C(0x100000000), false);
    mapped(&r, UINT64_C(0x201) << 32, UINT64_C(0xffffffff), false);
    mapped(&r, UINT64_C(0x202) << 32, UINT64_C(0x100000000), false);
}

static void nothing(void **state)
{
    (void)state;
    struct resources r = {0};
    const struct image_view image = {0};
    r.storage[0] = (struct exec_buffer){some, 0};
    r.storage[1] = (struct exec_buffer){NULL, 4};
    r.images[0] = &image;
    resources_map(&r);
    assert_int_equal(r.bus.nranges, 0);
}

TEST_MAIN(TEST(places), TEST(larger_than_its_range), TEST(nothing))
