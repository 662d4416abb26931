/* main.c - the weft-mpi program: a list of weft's, or one job, dealt out to the ranks of an MPI run. */
#include "mpi/deal.h"
#include "mpi/message.h"
#include "mpi/share.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct cli_command *const commands[] = {&command_run, &command_check, &command_asm, &command_dis};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const struct cli_commands program = {
    commands, COMMANDS,
    "weft-mpi does what weft does with lists, on all ranks of an MPI run.",
    "mpirun -n N weft-mpi",
    "\nOptions, output, messages and exit status are those of weft: 'weft help COMMAND' explains them.\n"
    "A single job is divided by tiles and workgroups. What else is not a list is done by one rank. With --resume\n"
    "JOURNAL, a run that was killed goes on.\n",
};

static void version(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(text, &length);
    printf("weft-mpi %s\nMPI: %.*s\n", weft_version(), (int)strcspn(text, "\n,"), text);
}

/* Without a command that is dealt out; an exit status. */
static int talk(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (argc < 2) {
        cli_usage(stderr, &program);
        return STATUS_USAGE;
    }
    if (cli_asks_help(name)) {
        cli_usage(stdout, &program);
        return STATUS_FINE;
    }
    if (cli_asks_version(name)) {
        version();
        return STATUS_FINE;
    }
    const char *names[8];
    char hint[80];
    for (size_t i = 0; i < program.count; i++)
        names[i] = program.commands[i]->name;
    fprintf(stderr, "weft-mpi: the commands are run, check, asm and dis, not '%s'%s\n", name,
            cli_nearest(name, names, program.count, hint, sizeof hint));
    return STATUS_USAGE;
}

/* Ranks of one machine share its processors: the number of threads for each of them. */
static uint32_t threads_each(void)
{
    MPI_Comm here;
    int ranks = 1;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &ranks);
    MPI_Comm_free(&here);
    return processors > ranks ? (uint32_t)(processors / ranks) : 1;
}

/* A rank's standard error is a pipe to mpirun, which started it and may have a terminal. */
static bool mpirun_has_terminal(void)
{
    char link[32], target[64];
    if (!getenv("OMPI_COMM_WORLD_RANK") && !getenv("PMI_RANK"))
        return false;
    snprintf(link, sizeof link, "/proc/%ld/fd/2", (long)getppid());
    ssize_t length = readlink(link, target, sizeof target - 1);
    target[length > 0 ? length : 0] = 0;
    return strncmp(target, "/dev/pts/", 9) == 0 || strncmp(target, "/dev/tty", 8) == 0;
}

static void say_alone(int ranks, const char *why)
{
    if (ranks > 1)
        fprintf(stderr, "weft-mpi: %s: one of %d ranks does it\n", why, ranks);
}

/* Rank 0; an exit status. */
static int lead(const struct cli_command *command, int argc, char **argv, uint32_t threads, int ranks)
{
    struct collect c;
    int status;
    void *state = list_parse(command, argc, argv, &status);
    if (!state)
        return status;
    if (command->list->use_threads)
        command->list->use_threads(state, threads);
    if (ranks > 1 && command->list->is_shared && command->list->is_shared(state)) {
        status = share_lead(command->list, state, ranks);
    } else if (!command->list->is_list(state)) {
        say_alone(ranks, "this is not a list");
        status = command->list->whole(state);
    } else if ((status = collect_begin(&c, command, argc, argv, state, (unsigned)ranks)) == STATUS_FINE) {
        if (c.items.count == 1)
            say_alone(ranks, "the list has one item");
        c.progress.terminal |= mpirun_has_terminal();
        status = deal_list(&c, ranks);
    }
    free(state);
    return status;
}

static int run(int argc, char **argv, int rank, int ranks)
{
    const struct cli_command *command = argc > 1 ? cli_find(&program, argv[1]) : NULL;
    uint32_t threads = threads_each();
    int status = STATUS_FINE;
    if (!command)
        return rank == 0 ? talk(argc, argv) : STATUS_FINE;
    if (rank == 0) {
        status = lead(command, argc - 1, argv + 1, threads, ranks);
        deal_end(ranks);
    } else {
        deal_take_part(command, argc - 1, argv + 1, threads);
    }
    return status;
}

int main(int argc, char **argv)
{
    int rank, ranks, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int status = run(argc, argv, rank, ranks);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        cli_message("cannot write '<stdout>'");
        status = STATUS_INPUT;
    }
    MPI_Finalize();
    return status;
}
