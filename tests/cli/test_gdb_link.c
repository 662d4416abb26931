/* test_gdb_link.c - packets of GDB's remote protocol (GDB manual, "Remote Protocol", Overview) over a pair of sockets:
 * frames, checksums, acknowledgements, escapes, and where packets are too long. */
#include "test.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/gdb_link.h"

static struct gdb_link gdb;
static int client;

static int set_up(void **state)
{
    int ends[2];
    (void)state;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return -1;
    gdb = (struct gdb_link){.fd = ends[0]};
    client = ends[1];
    return fcntl(client, F_SETFL, O_NONBLOCK);
}

static int tear_down(void **state)
{
    (void)state;
    gdb_link_close(&gdb);
    if (client >= 0)
        close(client);
    return 0;
}

static void say(const char *bytes, size_t size)
{
    assert_int_equal(write(client, bytes, size), (ssize_t)size);
}

/* What weft sent meanwhile is this. */
static void hear(const char *wanted)
{
    static char got[1 << 16];
    ssize_t n = read(client, got, sizeof got - 1);
    got[n > 0 ? n : 0] = '\0';
    assert_string_equal(got, wanted);
}

/* "$TEXT#SUM". */
static size_t frame(const char *text, size_t size, char *out)
{
    unsigned sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += (unsigned char)text[i];
    out[0] = '$';
    memcpy(out + 1, text, size);
    return size + 1 + (size_t)sprintf(out + size + 1, "#%02x", sum & 255);
}

/* ---- what comes ---- */

static void packets_come(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *packet, *answer;
    } rows[] = {
        {"$g#67", "g", "+"},       {"$#00", "", "+"},         {"$m10,4#2E", "m10,4", "+"}, /* capital digits */
        {"++-x$g#67", "g", "+"},   /* what is not a packet is passed over */
        {"$g#66$g#67", "g", "-+"}, /* a wrong sum: it comes again */
        {"$g#6z$g#67", "g", "-+"}, {"$g#z7$g#67", "g", "-+"}, {"$a}\3b#43", "a#b", "+"}, /* an escape */
        {"$a}#de", "a}", "+"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        say(rows[i].bytes, strlen(rows[i].bytes));
        assert_int_equal(gdb_link_receive(&gdb), GDB_PACKET);
        assert_string_equal(gdb.packet, rows[i].packet);
        assert_int_equal(gdb.length, strlen(rows[i].packet));
        hear(rows[i].answer);
    }
    gdb.no_ack = true;
    say("$g#67", 5);
    assert_int_equal(gdb_link_receive(&gdb), GDB_PACKET);
    hear("");
    say("\3$g#67", 6);
    assert_int_equal(gdb_link_receive(&gdb), GDB_INTERRUPT);
    assert_int_equal(gdb_link_receive(&gdb), GDB_PACKET);
}

static void packets_have_a_length(void **state)
{
    (void)state;
    static char text[GDB_PACKET_SIZE + 2], bytes[GDB_PACKET_SIZE + 10];
    memset(text, 'a', sizeof text);
    for (size_t over = 0; over < 2; over++) {
        size_t size = frame(text, GDB_PACKET_SIZE + over, bytes);
        say(bytes, size);
        say("$g#67", 5);
        assert_int_equal(gdb_link_receive(&gdb), GDB_PACKET);
        assert_int_equal(gdb.length, over ? 1 : GDB_PACKET_SIZE);
        hear(over ? "-+" : "+");
        if (!over)
            assert_int_equal(gdb_link_receive(&gdb), GDB_PACKET);
        if (!over)
            hear("+");
    }
}

static void connections_end(void **state)
{
    static const char *const begun[] = {"", "$", "$g", "$g#", "$g#6", "+"};
    for (unsigned i = 0; i < sizeof begun / sizeof begun[0]; i++) {
        say(begun[i], strlen(begun[i]));
        close(client);
        client = -1;
        assert_int_equal(gdb_link_receive(&gdb), GDB_LOST);
        tear_down(state);
        assert_int_equal(set_up(state), 0);
    }
}

static void programs_are_interrupted(void **state)
{
    (void)state;
    assert_false(gdb_link_interrupted(&gdb));
    say("++", 2);
    assert_false(gdb_link_interrupted(&gdb));
    say("+\3", 2);
    assert_true(gdb_link_interrupted(&gdb));
    assert_false(gdb_link_interrupted(&gdb));
    say("-$g#67", 6);
    assert_true(gdb_link_interrupted(&gdb));
    assert_true(gdb_link_interrupted(&gdb)); /* it is still there */
    assert_int_equal(gdb_link_receive(&gdb), GDB_PACKET);
    assert_string_equal(gdb.packet, "g");
    assert_false(gdb_link_interrupted(&gdb));
    close(client);
    client = -1;
    assert_true(gdb_link_interrupted(&gdb));
}

/* ---- what is sent ---- */

static void replies_are_sent(void **state)
{
    (void)state;
    gdb_put(&gdb, "%s%d", "T", 5);
    gdb_put_hex(&gdb, "\x0f\xa0", 2);
    gdb_put_binary(&gdb, "#$}*+", 5);
    say("+", 1);
    assert_true(gdb_link_send(&gdb));
    hear("$T50fa0}\3}\4}]}\n+#3d");
    assert_int_equal(gdb.reply_length, 0);
    say("x-+", 3); /* once more */
    assert_true(gdb_link_send(&gdb));
    hear("$#00$#00");
    gdb_put(&gdb, "OK");
    say("$g#67", 5); /* a client that does not acknowledge */
    assert_true(gdb_link_send(&gdb));
    hear("$OK#9a");
    assert_int_equal(gdb_link_receive(&gdb), GDB_PACKET);
    hear("+");
    gdb_put(&gdb, "a");
    say("----------+", 11); /* ten times are enough */
    assert_false(gdb_link_send(&gdb));
    hear("$a#61$a#61$a#61$a#61$a#61$a#61$a#61$a#61$a#61$a#61");
    assert_int_equal(gdb.reply_length, 0);
    say("---------+", 10);
    gdb_put(&gdb, "a");
    assert_true(gdb_link_send(&gdb)); /* the '+' of before */
    hear("$a#61");
    gdb.no_ack = true;
    gdb_put(&gdb, "b");
    assert_true(gdb_link_send(&gdb));
    hear("$b#62");
    close(client);
    client = -1;
    assert_false(gdb_link_send(&gdb));
}

static void replies_have_an_end(void **state)
{
    (void)state;
    for (size_t left = 0; left < 5; left++) {
        gdb.reply_length = GDB_PACKET_SIZE - left;
        gdb_put(&gdb, "ab"); /* and the zero after it */
        assert_int_equal(gdb.reply_length, GDB_PACKET_SIZE - left + (left > 2 ? 2 : 0));
        gdb.reply_length = GDB_PACKET_SIZE - left;
        gdb_put_hex(&gdb, "abc", 3);
        assert_int_equal(gdb.reply_length, GDB_PACKET_SIZE - left % 2);
        gdb.reply_length = GDB_PACKET_SIZE - left;
        gdb_put_binary(&gdb, "#a#", 3); /* each may take two */
        assert_int_equal(gdb.reply_length, GDB_PACKET_SIZE - left + (left < 2 ? 0 : left == 2 ? 2 : left == 3 ? 2 : 3));
    }
}

/* ---- numbers and bytes ---- */

static void numbers_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int fine;
        uint64_t n;
        size_t taken;
    } rows[] = {
        {"0", 1, 0, 1},
        {"1f,4", 1, 0x1f, 2},
        {"AbCdeF09", 1, 0xabcdef09, 8},
        {"ffffffffffffffff", 1, UINT64_MAX, 16},
        {"0123456789abcdef;", 1, 0x123456789abcdef, 16},
        {"00000000000000001", 0, 1, 17},
        {"", 0, 0, 0},
        {"g", 0, 0, 0},
        {"-1", 0, 0, 0},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *at = rows[i].text;
        uint64_t n = 7;
        assert_int_equal(gdb_number(&at, &n), rows[i].fine);
        assert_true(n == rows[i].n);
        assert_int_equal(at - rows[i].text, rows[i].taken);
    }
}

static void bytes_are_read(void **state)
{
    (void)state;
    uint8_t bytes[4] = {0};
    const char *at = "0aB1ff;", *begin = at;
    assert_true(gdb_bytes(&at, bytes, 3));
    assert_int_equal(at - begin, 6);
    assert_memory_equal(bytes, "\x0a\xb1\xff", 3);
    assert_true(gdb_bytes(&at, bytes, 0));
    static const char *const wrong[] = {"", "0", "0g", "g0", "001", "00;0"};
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        at = wrong[i];
        assert_false(gdb_bytes(&at, bytes, 2));
    }
}

#define LINKED(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
TEST_MAIN(LINKED(packets_come), LINKED(packets_have_a_length), LINKED(connections_end),
          LINKED(programs_are_interrupted), LINKED(replies_are_sent), LINKED(replies_have_an_end),
          TEST(numbers_are_read), TEST(bytes_are_read))
