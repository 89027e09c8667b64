/* Other machines, as their /proc, /sys and /etc would show them. */
#define _GNU_SOURCE
#include "platform/compiler.h"
#include "posix/host_posix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MACHINE_ROOT "scratch_host_posix"
#include "tests/platform/machine.h"

/* ---- machines ---- */

struct small_file {
    const char *name, *text;
};

#define DMI "/sys/class/dmi/id/"
#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/available_clocksource"
#define X86 "processor\t: 0\nmodel name\t: Intel(R) Xeon(R)\nflags\t\t: fpu vme "
#define FILES_MAX 6

static const struct machine {
    struct small_file files[FILES_MAX];
    const char *virtualization, *cloud, *instance_type;
} machines[] = {
    /* EC2 on Nitro, its bare metal, and on Xen */
    {{{DMI "sys_vendor", "Amazon EC2\n"}, {DMI "product_name", "m5.large\n"}, {"/proc/cpuinfo", X86 "hypervisor\n"}},
     "kvm",
     "aws",
     "m5.large"},
    {{{DMI "sys_vendor", "Amazon EC2\n"}, {DMI "product_name", "c5.metal\n"}, {"/proc/cpuinfo", X86 "\n"}},
     "none",
     "aws",
     "c5.metal"},
    {{{DMI "sys_vendor", "Xen\n"},
      {DMI "product_name", "HVM domU\n"},
      {DMI "bios_version", "4.2.amazon\n"},
      {"/sys/hypervisor/type", "xen\n"}},
     "xen",
     "aws",
     ""},
    /* Azure, and Hyper-V at home */
    {{{DMI "sys_vendor", "Microsoft Corporation\n"},
      {DMI "product_name", "Virtual Machine\n"},
      {DMI "chassis_asset_tag", "7783-7084-3265-9085-8269-3286-77\n"}},
     "hyper-v",
     "azure",
     ""},
    {{{DMI "sys_vendor", "Microsoft Corporation\n"},
      {DMI "product_name", "Virtual Machine\n"},
      {DMI "chassis_asset_tag", "1234-5678\n"}},
     "hyper-v",
     "",
     ""},
    {{{DMI "sys_vendor", "Google\n"}, {DMI "product_name", "Google Compute Engine\n"}}, "kvm", "gcp", ""},
    {{{DMI "sys_vendor", "VMware, Inc.\n"}, {DMI "product_name", "VMware Virtual Platform\n"}}, "vmware", "", ""},
    {{{DMI "sys_vendor", "QEMU\n"}, {DMI "product_name", "Standard PC (Q35 + ICH9, 2009)\n"}}, "kvm", "", ""},
    /* no DMI: the guest's clock tells, or the flag of x86 */
    {{{CLOCKSOURCE, "kvm-clock tsc acpi_pm\n"}, {"/proc/cpuinfo", X86 "hypervisor lahf_lm\n"}}, "kvm", "", ""},
    {{{CLOCKSOURCE, "tsc\n"}, {"/proc/cpuinfo", X86 "hypervisor\n"}}, "other", "", ""},
    {{{DMI "sys_vendor", "Dell Inc.\n"}, {DMI "product_name", "PowerEdge\n"}, {"/proc/cpuinfo", X86 "lahf_lm\n"}},
     "none",
     "",
     ""},
    {{{"/proc/cpuinfo", "processor\t: 0\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd\n"}}, "", "", ""},
    {{{NULL, NULL}}, "", "", ""},
};

static void machines_are_known_by_their_firmware(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(machines); i++) {
        char root[PATH_BYTES];
        struct host_facts facts;
        empty_root(root);
        for (size_t f = 0; f < FILES_MAX && machines[i].files[f].name != NULL; f++)
            put(root, machines[i].files[f].name, machines[i].files[f].text);
        host_measure_from(root, &facts);
        assert_string_equal(facts.virtualization, machines[i].virtualization);
        assert_string_equal(facts.cloud, machines[i].cloud);
        assert_string_equal(facts.instance_type, machines[i].instance_type);
    }
}

static const struct {
    struct small_file file;
    const char *os, *cpu_model;
} systems[] = {
    {{"/etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n"},
     "Debian GNU/Linux 12 (bookworm)",
     ""},
    {{"/usr/lib/os-release", "PRETTY_NAME='Fedora Linux 41'\n"}, "Fedora Linux 41", ""},
    {{"/etc/os-release", "PRETTY_NAME=Plain\nNOT_PRETTY_NAME=x\n"}, "Plain", ""},
    {{"/etc/os-release", "ID=strange\n"}, "", ""},
    {{"/proc/cpuinfo", "processor\t: 0\nmodel name\t: AMD EPYC 7R13\nmodel name\t: another\n"}, "", "AMD EPYC 7R13"},
    {{"/proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4"}, "", "Raspberry Pi 4 Model B Rev 1.4"},
};

static void systems_and_processors_have_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(systems); i++) {
        char root[PATH_BYTES];
        struct host_facts facts;
        empty_root(root);
        put(root, systems[i].file.name, systems[i].file.text);
        host_measure_from(root, &facts);
        assert_string_equal(facts.os, systems[i].os);
        assert_string_equal(facts.cpu_model, systems[i].cpu_model);
    }
}

/* ---- CPUs ---- */

static void each_cpu_has_its_times(void **state)
{
    static const char text[] = "cpu  600 60 6 6000 66 3 9 5 0 0\n"
                               "cpu0 100 10 1 1000 11 1 2 5 50 0\n" /* with a hypervisor and a guest */
                               "cpu3 500 50 5 5000\n"               /* 1 and 2 are offline; of an old kernel */
                               "intr 1 2 3\n"
                               "cpu9 1 1 1 1\n";
    char root[PATH_BYTES];
    struct host_cpu *cpus;
    (void)state;
    empty_root(root);
    put(root, "/proc/stat", text);
    assert_int_equal(host_cpus_from(root, 10, &cpus), 2);
    assert_int_equal(cpus[0].user_ns, 1100);
    assert_int_equal(cpus[0].system_ns, 40);
    assert_int_equal(cpus[0].idle_ns, 10110);
    assert_int_equal(cpus[1].user_ns, 5500);
    assert_int_equal(cpus[1].system_ns, 50);
    assert_int_equal(cpus[1].idle_ns, 50000);
    free(cpus);
}

static void without_a_table_of_cpus_none_is_made_up(void **state)
{
    static const char *const texts[] = {"", "cpu  1 2 3 4\n", "cpu  1 2 3 4\nintr 1\n", "cpu\ncpu0 1 2 3\n"};
    char root[PATH_BYTES];
    struct host_cpu *cpus = NULL;
    (void)state;
    empty_root(root);
    assert_int_equal(host_cpus_from(root, 10, &cpus), 0);
    assert_null(cpus);
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        put(root, "/proc/stat", texts[i]);
        assert_int_equal(host_cpus_from(root, 10, &cpus), 0);
        assert_null(cpus);
    }
}

/* ---- mounts ---- */

static const char mountinfo[] = "22 1 259:1 / / rw,relatime shared:1 - ext4 /dev/root rw,discard,errors=remount-ro\n"
                                "23 22 0:21 / /proc rw,nosuid - proc proc rw\n"
                                "30 22 8:17 / /data rw,noatime shared:3 master:4 - xfs /dev/sdb1 rw,attr2,inode64\n"
                                "31 22 253:0 / /data/vol\\040one rw,relatime - xfs /dev/mapper/vg-lv ro,noquota\n"
                                "32 22 0:44 /@home /home rw,relatime - btrfs /dev/nvme1n1 rw,ssd,subvol=/@home\n"
                                "33 22 0:50 / /cover rw - tmpfs tmpfs rw\n"
                                "34 22 8:33 / /cover ro - ext4 /dev/sdc1 ro\n"
                                "broken line\n"
                                "35 22 0:51 / /nothing rw - tmpfs\n"
                                "36 22 0:52 / /tmp\\011tab rw - tmpfs tmpfs\n";

static const struct {
    const char *path, *mount_point, *file_system, *options, *device;
    uint32_t major_number, minor_number;
} mounts[] = {
    {"/", "/", "ext4", "rw,relatime,discard,errors=remount-ro", "", 259, 1},
    {"/database", "/", "ext4", "rw,relatime,discard,errors=remount-ro", "", 259, 1}, /* not below /data */
    {"/data", "/data", "xfs", "rw,noatime,attr2,inode64", "/dev/sdb1", 8, 17},
    {"/data/x/y", "/data", "xfs", "rw,noatime,attr2,inode64", "/dev/sdb1", 8, 17},
    {"/data/vol one/f", "/data/vol one", "xfs", "rw,relatime,ro,noquota", "/dev/mapper/vg-lv", 253, 0},
    {"/home/me", "/home", "btrfs", "rw,relatime,ssd,subvol=/@home", "/dev/nvme1n1", 0, 44},
    {"/cover/f", "/cover", "ext4", "ro", "/dev/sdc1", 8, 33}, /* the later one lies on top */
    {"/nothing/f", "/", "ext4", "rw,relatime,discard,errors=remount-ro", "", 259, 1},
    {"/tmp\ttab/f", "/tmp\ttab", "tmpfs", "rw", "", 0, 52},
};

static void a_path_is_on_the_closest_mount_above_it(void **state)
{
    char root[PATH_BYTES];
    (void)state;
    empty_root(root);
    put(root, "/proc/self/mountinfo", mountinfo);
    for (size_t i = 0; i < COUNT_OF(mounts); i++) {
        struct target_facts facts;
        uint32_t major_number = 0, minor_number = 0;
        memset(&facts, 0, sizeof facts);
        assert_true(host_mount_from(root, mounts[i].path, &facts, &major_number, &minor_number));
        assert_string_equal(facts.mount_point, mounts[i].mount_point);
        assert_string_equal(facts.file_system, mounts[i].file_system);
        assert_string_equal(facts.mount_options, mounts[i].options);
        assert_string_equal(facts.device, mounts[i].device);
        assert_int_equal(major_number, mounts[i].major_number);
        assert_int_equal(minor_number, mounts[i].minor_number);
    }
}

static void without_mountinfo_no_mount_is_known(void **state)
{
    char root[PATH_BYTES];
    struct target_facts facts;
    uint32_t major_number, minor_number;
    (void)state;
    empty_root(root);
    assert_false(host_mount_from(root, "/", &facts, &major_number, &minor_number));
}

/* ---- devices ---- */

#define NVME "/sys/devices/pci0000:00/0000:00:1f.0/nvme/nvme1/nvme1n1"
#define SCSI "/sys/devices/pci0000:00/0000:00:05.0/host0/target0:0:0/0:0:0:0/block/sdb"
#define VIRTIO "/sys/devices/pci0000:00/0000:00:04.0/virtio1/block/vda"
#define MAPPED "/sys/devices/virtual/block/"

static void put_queue(const char *root, const char *disk, const char *rotational, const char *logical,
                      const char *physical)
{
    char name[PATH_BYTES];
    snprintf(name, sizeof name, "%s/queue/rotational", disk);
    put(root, name, rotational);
    snprintf(name, sizeof name, "%s/queue/logical_block_size", disk);
    put(root, name, logical);
    snprintf(name, sizeof name, "%s/queue/physical_block_size", disk);
    put(root, name, physical);
}

/* An EBS volume with a partition, a disk, one of virtio, and mapped devices upon them. */
static void put_devices(const char *root)
{
    put_queue(root, NVME, "0\n", "512\n", "4096\n");
    put(root, NVME "/device/model", "Amazon Elastic Block Store              \n");
    put(root, NVME "/device/serial", "vol0123456789abcdef0\n");
    put(root, NVME "/nvme1n1p1/partition", "1\n");
    put_link(root, "/sys/dev/block/259:0", "../../devices/pci0000:00/0000:00:1f.0/nvme/nvme1/nvme1n1");
    put_link(root, "/sys/dev/block/259:1", "../../devices/pci0000:00/0000:00:1f.0/nvme/nvme1/nvme1n1/nvme1n1p1");

    put_queue(root, SCSI, "1\n", "512\n", "512\n");
    put(root, SCSI "/device/model", "ST4000NM0035\n");
    put_link(root, "/sys/dev/block/8:16", "../../devices/pci0000:00/0000:00:05.0/host0/target0:0:0/0:0:0:0/block/sdb");

    put_queue(root, VIRTIO, "1\n", "512\n", "4096\n");
    put(root, VIRTIO "/serial", "vol-0fedcba9876543210\n");
    put_link(root, "/sys/dev/block/254:0", "../../devices/pci0000:00/0000:00:04.0/virtio1/block/vda");

    put_queue(root, MAPPED "dm-0", "0\n", "512\n", "4096\n"); /* on a partition */
    put(root, MAPPED "dm-0/slaves/nvme1n1p1/dev", "259:1\n");
    put_link(root, "/sys/dev/block/253:0", "../../devices/virtual/block/dm-0");
    put_queue(root, MAPPED "dm-1", "0\n", "512\n", "4096\n"); /* on that */
    put(root, MAPPED "dm-1/slaves/dm-0/dev", "253:0\n");
    put_link(root, "/sys/dev/block/253:1", "../../devices/virtual/block/dm-1");
    put_queue(root, MAPPED "md0", "1\n", "4096\n", "4096\n"); /* on two */
    put(root, MAPPED "md0/slaves/nvme1n1p1/dev", "259:1\n");
    put(root, MAPPED "md0/slaves/sdb/dev", "8:16\n");
    put_link(root, "/sys/dev/block/9:0", "../../devices/virtual/block/md0");
    put(root, MAPPED "dm-9/slaves/dm-9/dev", "253:9\n"); /* on itself: nonsense, and no endless loop */
    put_link(root, "/sys/dev/block/253:9", "../../devices/virtual/block/dm-9");
    put(root, MAPPED "cciss!c0d0/queue/rotational", "1\n");
    put_link(root, "/sys/dev/block/104:0", "../../devices/virtual/block/cciss!c0d0");
}

static const struct {
    uint32_t major_number, minor_number;
    const char *device, *model, *volume;
    enum tristate rotational;
    uint32_t logical_bytes, physical_bytes;
} devices[] = {
    {259, 0, "/dev/nvme1n1", "Amazon Elastic Block Store", "vol-0123456789abcdef0", TRI_NO, 512, 4096},
    {259, 1, "/dev/nvme1n1p1", "Amazon Elastic Block Store", "vol-0123456789abcdef0", TRI_NO, 512, 4096},
    {8, 16, "/dev/sdb", "ST4000NM0035", "", TRI_YES, 512, 512},
    {254, 0, "/dev/vda", "", "vol-0fedcba9876543210", TRI_YES, 512, 4096},
    {253, 0, "/dev/dm-0", "Amazon Elastic Block Store", "vol-0123456789abcdef0", TRI_NO, 512, 4096},
    {253, 1, "/dev/dm-1", "Amazon Elastic Block Store", "vol-0123456789abcdef0", TRI_NO, 512, 4096},
    {9, 0, "/dev/md0", "", "", TRI_YES, 4096, 4096},
    {253, 9, "/dev/dm-9", "", "", TRI_UNKNOWN, 0, 0},
    {104, 0, "/dev/cciss/c0d0", "", "", TRI_YES, 0, 0},
    {0, 44, "", "", "", TRI_UNKNOWN, 0, 0},
};

static void devices_are_known_by_their_numbers(void **state)
{
    char root[PATH_BYTES];
    (void)state;
    empty_root(root);
    put_devices(root);
    for (size_t i = 0; i < COUNT_OF(devices); i++) {
        struct target_facts facts;
        memset(&facts, 0, sizeof facts);
        host_device_from(root, devices[i].major_number, devices[i].minor_number, &facts);
        assert_string_equal(facts.device, devices[i].device);
        assert_string_equal(facts.device_model, devices[i].model);
        assert_string_equal(facts.ebs_volume_id, devices[i].volume);
        assert_int_equal(facts.rotational, devices[i].rotational);
        assert_int_equal(facts.logical_sector_bytes, devices[i].logical_bytes);
        assert_int_equal(facts.physical_sector_bytes, devices[i].physical_bytes);
    }
}

static void a_name_that_the_mount_gave_stays(void **state)
{
    char root[PATH_BYTES];
    struct target_facts facts = {.device = "/dev/mapper/vg-lv"};
    (void)state;
    empty_root(root);
    put_devices(root);
    host_device_from(root, 253, 0, &facts);
    assert_string_equal(facts.device, "/dev/mapper/vg-lv");
    assert_string_equal(facts.ebs_volume_id, "vol-0123456789abcdef0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machines_are_known_by_their_firmware),
        cmocka_unit_test(systems_and_processors_have_names),
        cmocka_unit_test(each_cpu_has_its_times),
        cmocka_unit_test(without_a_table_of_cpus_none_is_made_up),
        cmocka_unit_test(a_path_is_on_the_closest_mount_above_it),
        cmocka_unit_test(without_mountinfo_no_mount_is_known),
        cmocka_unit_test(devices_are_known_by_their_numbers),
        cmocka_unit_test(a_name_that_the_mount_gave_stays),
    };
    return cmocka_run_group_tests(tests, NULL, remove_machine);
}
