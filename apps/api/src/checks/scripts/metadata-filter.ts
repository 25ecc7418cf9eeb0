/**
 * The part of the warden that keeps a script from changing what stands beside the content of files: mode, owner, times and
 * attributes. Landlock has no right for these, so the calls themselves are refused (seccomp). Danger: calls are numbered by
 * processor; where the numbers are not known here there is no wall.
 */

/*
 * By processor: how seccomp calls it (AUDIT_ARCH_…), the calls that are refused, and the number of ioctl. In the order of
 * names: chmod, fchmod, chown, fchown, lchown, utime, utimes, futimesat, utimensat, fchownat, fchmodat, and the setting and
 * removing of extended attributes by path, link and descriptor; a processor of later make has not all of them. Then those
 * that have the same number everywhere: fchmodat2, setxattrat, removexattrat, file_setattr, and io_uring_setup, since what
 * goes through a ring goes past the filter. Of ioctl: FS_IOC_SETFLAGS and FS_IOC_FSSETXATTR.
 */
export const METADATA_FILTER = `
EVERYWHERE = [452, 463, 466, 469, 425]
FILTERS = {
    "x86_64": (0xC000003E, [90, 91, 92, 93, 94, 132, 235, 261, 280, 260, 268, 188, 189, 190, 197, 198, 199], 16),
    "aarch64": (0xC00000B7, [52, 55, 88, 54, 53, 5, 6, 7, 14, 15, 16], 29),
}
SET_FLAGS = [0x40086602, 0x401C5820]

def keeps_metadata():
    return os.uname().machine in FILTERS and prctl(21, 0) >= 0

# Classic BPF over the call's number and processor; a jump counts the instructions that it skips.
def refuse_metadata():
    processor, calls, ioctl = FILTERS[os.uname().machine]
    load, equal, at_least, end = 0x20, 0x15, 0x35, 0x06
    allow, refuse = (end, 0, 0, 0x7FFF0000), (end, 0, 0, 0x00050001)
    flags = [(load, 0, 0, 24)]
    for number in SET_FLAGS:
        flags += [(equal, 0, 1, number), refuse]
    program = [(load, 0, 0, 4), (equal, 1, 0, processor), refuse, (load, 0, 0, 0), (at_least, 0, 1, 0x40000000), refuse]
    for number in calls + EVERYWHERE:
        program += [(equal, 0, 1, number), refuse]
    program += [(equal, 0, len(flags), ioctl)] + flags + [allow]
    packed = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *each) for each in program))
    filter = struct.pack("@HP", len(program), ctypes.addressof(packed))
    none = ctypes.c_ulong(0)
    if libc.prctl(ctypes.c_int(22), ctypes.c_ulong(2), filter, none, none) != 0:
        raise OSError(ctypes.get_errno(), "changes of modes, owners and times could not be refused")
`;
