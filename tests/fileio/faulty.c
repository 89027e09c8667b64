#include "tests/fileio/faulty.h"

struct faulty faulty;

void faulty_reset(void)
{
    faulty.reads_until_fault = faulty.writes_until_fault = faulty.syncs_until_fault = -1;
    faulty.writes_until_trick = faulty.bad_offset = -1;
    faulty.reads = faulty.writes = faulty.syncs = 0;
}

static bool strikes(_Atomic int64_t *until)
{
    return atomic_load(until) >= 0 && atomic_fetch_sub(until, 1) == 0;
}

static bool fault_open(struct file **out, const char *path, const struct file_policy *policy, struct error *error)
{
    return file_layer_system.open(out, path, policy, error);
}

static bool touches(int64_t bad, size_t bytes, uint64_t offset)
{
    return bad >= 0 && (uint64_t)bad >= offset && (uint64_t)bad - offset < bytes;
}

static int64_t fault_read(struct file *file, void *buffer, size_t bytes, uint64_t offset)
{
    ++faulty.reads;
    if (touches(atomic_load(&faulty.bad_offset), bytes, offset))
        return faulty.read_answer;
    return strikes(&faulty.reads_until_fault) ? faulty.read_answer
                                              : file_layer_system.read_at(file, buffer, bytes, offset);
}

static int64_t play_trick(struct file *file, const void *buffer, size_t bytes, uint64_t offset)
{
    int64_t done = (int64_t)bytes;
    if (faulty.trick == TRICK_MISDIRECT)
        done = file_layer_system.write_at(file, buffer, bytes, offset ^ bytes);
    else if (faulty.trick == TRICK_TEAR)
        done = file_layer_system.write_at(file, buffer, bytes / 2, offset);
    return done < 0 ? done : (int64_t)bytes;
}

static int64_t fault_write(struct file *file, const void *buffer, size_t bytes, uint64_t offset)
{
    ++faulty.writes;
    if (strikes(&faulty.writes_until_trick))
        return play_trick(file, buffer, bytes, offset);
    return strikes(&faulty.writes_until_fault) ? faulty.write_answer
                                               : file_layer_system.write_at(file, buffer, bytes, offset);
}

static int fault_sync(struct file *file, bool data_only)
{
    ++faulty.syncs;
    return strikes(&faulty.syncs_until_fault) ? faulty.sync_answer : file_layer_system.sync(file, data_only);
}

static bool set_size(struct file *file, uint64_t bytes, struct error *error)
{
    return file_layer_system.set_size(file, bytes, error);
}

static bool allocate(struct file *file, uint64_t bytes, struct error *error)
{
    return file_layer_system.allocate(file, bytes, error);
}

static bool drop_cache(struct file *file, struct error *error)
{
    return file_layer_system.drop_cache(file, error);
}

static bool facts(struct file *file, struct file_facts *out, struct error *error)
{
    return file_layer_system.facts(file, out, error);
}

static bool map(struct file *file, size_t bytes, void **out, struct error *error)
{
    return file_layer_system.map(file, bytes, out, error);
}

static int map_sync(struct file *file, void *address, size_t bytes)
{
    return file_layer_system.map_sync(file, address, bytes);
}

static void unmap(struct file *file, void *address, size_t bytes)
{
    file_layer_system.unmap(file, address, bytes);
}

static void close_file(struct file *file)
{
    file_layer_system.close(file);
}

static bool remove_file(const char *path, struct error *error)
{
    return file_layer_system.remove(path, error);
}

const struct file_layer faulty_layer = {
    .name = "faulty",
    .open = fault_open,
    .read_at = fault_read,
    .write_at = fault_write,
    .sync = fault_sync,
    .set_size = set_size,
    .allocate = allocate,
    .drop_cache = drop_cache,
    .facts = facts,
    .map = map,
    .map_sync = map_sync,
    .unmap = unmap,
    .close = close_file,
    .remove = remove_file,
};
