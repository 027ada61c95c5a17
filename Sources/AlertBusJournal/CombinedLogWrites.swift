import CSQLite
import Glibc
import Synchronization

/// A layer over a file system of SQLite that hands the write-ahead log on in few large writes.
///
/// SQLite writes each page of a commit with two calls, its header and its content, one behind the other. Here they are put
/// together in memory until the log is synchronised, read, cut or closed, or something is written elsewhere. The order of
/// what reaches the file is the same, so a power cut leaves nothing that it could not leave without the layer. A write
/// that fails is told by the call that caused it, mostly the one that synchronises.
///
/// Only for connections that synchronise at each commit: others may look at the log as soon as a commit is done. All
/// other files are opened by the file system beneath.
enum CombinedLogWrites {
    /// The log is handed on before there are more bytes than this. SQLite's file system for Unix takes less than 128 KiB at a time: of a larger
    /// piece it writes the size modulo that, and calls the disk full when that is nothing.
    static let capacity = 96 << 10

    /// Names of layers that SQLite knows.
    private static let registered = Mutex<Set<String>>([])

    /// The name of the layer over a file system; that of the file system itself when SQLite does not know it.
    /// - Parameter base: the name of a registered SQLite VFS; nil is the default one.
    static func over(_ base: String?) -> String? {
        guard let beneath = sqlite3_vfs_find(base) else { return base }
        let name = "combined-log-writes/" + String(cString: beneath.pointee.zName)
        registered.withLock { known in
            if known.insert(name).inserted { register(name, over: beneath) }
        }
        return name
    }

    private static func register(_ name: String, over beneath: UnsafeMutablePointer<sqlite3_vfs>) {
        // SQLite keeps it for the life of the process.
        let layer = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        layer.initialize(to: beneath.pointee)
        layer.pointee.zName = UnsafePointer(strdup(name))
        layer.pointee.szOsFile = Int32(CombinedLogFile.headerSize) + beneath.pointee.szOsFile
        layer.pointee.pNext = nil
        layer.pointee.pAppData = UnsafeMutableRawPointer(beneath)
        layer.pointee.xOpen = { layer, name, file, flags, outFlags in
            let beneath = CombinedLogWrites.beneath(layer)
            guard flags & SQLITE_OPEN_WAL != 0, let file else {
                return beneath.pointee.xOpen(beneath, name, file, flags, outFlags)
            }
            return CombinedLogFile.open(file) { beneath.pointee.xOpen(beneath, name, $0, flags, outFlags) }
        }
        // What a file system does besides opening files it looks up in itself.
        layer.pointee.xDelete = {
            let beneath = CombinedLogWrites.beneath($0); return beneath.pointee.xDelete(beneath, $1, $2)
        }
        layer.pointee.xAccess = {
            let beneath = CombinedLogWrites.beneath($0)
            return beneath.pointee.xAccess(beneath, $1, $2, $3)
        }
        layer.pointee.xFullPathname = {
            let beneath = CombinedLogWrites.beneath($0)
            return beneath.pointee.xFullPathname(beneath, $1, $2, $3)
        }
        layer.pointee.xGetLastError = {
            let beneath = CombinedLogWrites.beneath($0)
            return beneath.pointee.xGetLastError(beneath, $1, $2)
        }
        sqlite3_vfs_register(layer, 0)
    }

    private static func beneath(_ layer: UnsafeMutablePointer<sqlite3_vfs>?) -> UnsafeMutablePointer<sqlite3_vfs> {
        layer!.pointee.pAppData.assumingMemoryBound(to: sqlite3_vfs.self)
    }
}

/// What SQLite holds for an open log: its own header, what waits to be written, and behind that the file beneath.
struct CombinedLogFile {
    private var header = sqlite3_file()
    private var bytes: UnsafeMutableRawPointer?
    /// Where in the log `bytes` begins.
    private var start: Int64 = 0
    private var count = 0

    /// Bytes from the beginning to the file beneath.
    static let headerSize = (MemoryLayout<CombinedLogFile>.size + 15) / 16 * 16

    typealias File = UnsafeMutablePointer<sqlite3_file>

    static func open(_ file: File, _ openBeneath: (File) -> Int32) -> Int32 {
        file.pointee.pMethods = nil
        let code = openBeneath(beneath(file))
        guard code == SQLITE_OK else { return code }
        let combined = UnsafeMutableRawPointer(file).bindMemory(to: CombinedLogFile.self, capacity: 1)
        combined.initialize(to: CombinedLogFile())
        combined.pointee.header.pMethods = UnsafePointer(methods)
        return code
    }

    private static func beneath(_ file: File) -> File {
        (UnsafeMutableRawPointer(file) + headerSize).assumingMemoryBound(to: sqlite3_file.self)
    }

    private static func combined(_ file: File) -> UnsafeMutablePointer<CombinedLogFile> {
        UnsafeMutableRawPointer(file).assumingMemoryBound(to: CombinedLogFile.self)
    }

    private static func write(_ file: File, _ from: UnsafeRawPointer, _ size: Int32, _ offset: Int64) -> Int32 {
        let combined = combined(file)
        let size = Int(size)
        let follows = combined.pointee.count == 0 || combined.pointee.start + Int64(combined.pointee.count) == offset
        if !follows || combined.pointee.count + size > CombinedLogWrites.capacity {
            let code = handOn(file)
            if code != SQLITE_OK { return code }
        }
        if size > CombinedLogWrites.capacity { return methodsBeneath(file).xWrite(beneath(file), from, Int32(size), offset) }
        if combined.pointee.bytes == nil { combined.pointee.bytes = malloc(CombinedLogWrites.capacity) }
        guard let bytes = combined.pointee.bytes else { return SQLITE_NOMEM }
        if combined.pointee.count == 0 { combined.pointee.start = offset }
        memcpy(bytes + combined.pointee.count, from, size)
        combined.pointee.count += size
        return SQLITE_OK
    }

    /// Writes what waits. What could not be written is forgotten: SQLite takes the failure for that of the commit.
    private static func handOn(_ file: File) -> Int32 {
        let combined = combined(file)
        let count = combined.pointee.count
        if count == 0 { return SQLITE_OK }
        combined.pointee.count = 0
        return methodsBeneath(file).xWrite(beneath(file), combined.pointee.bytes, Int32(count), combined.pointee.start)
    }

    /// Does something with the file beneath once everything is written.
    private static func afterWriting(_ file: File, _ body: (sqlite3_io_methods, File) -> Int32) -> Int32 {
        let code = handOn(file)
        return code == SQLITE_OK ? body(methodsBeneath(file), beneath(file)) : code
    }

    private static func methodsBeneath(_ file: File) -> sqlite3_io_methods { beneath(file).pointee.pMethods.pointee }

    /// Written once, before the first file is opened, and only read after that.
    nonisolated(unsafe) private static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: sqlite3_io_methods())
        // The first version: a log is neither mapped nor shared.
        methods.pointee.iVersion = 1
        methods.pointee.xClose = { file in
            let written = handOn(file!)
            let closed = methodsBeneath(file!).xClose(beneath(file!))
            free(combined(file!).pointee.bytes)
            return written == SQLITE_OK ? closed : written
        }
        methods.pointee.xRead = { file, into, size, offset in
            afterWriting(file!) { $0.xRead($1, into, size, offset) }
        }
        methods.pointee.xWrite = { file, from, size, offset in write(file!, from!, size, offset) }
        methods.pointee.xTruncate = { file, size in afterWriting(file!) { $0.xTruncate($1, size) } }
        methods.pointee.xSync = { file, flags in afterWriting(file!) { $0.xSync($1, flags) } }
        methods.pointee.xFileSize = { file, size in afterWriting(file!) { $0.xFileSize($1, size) } }
        methods.pointee.xLock = { methodsBeneath($0!).xLock(beneath($0!), $1) }
        methods.pointee.xUnlock = { methodsBeneath($0!).xUnlock(beneath($0!), $1) }
        methods.pointee.xCheckReservedLock = { methodsBeneath($0!).xCheckReservedLock(beneath($0!), $1) }
        methods.pointee.xFileControl = { methodsBeneath($0!).xFileControl(beneath($0!), $1, $2) }
        methods.pointee.xSectorSize = { methodsBeneath($0!).xSectorSize(beneath($0!)) }
        methods.pointee.xDeviceCharacteristics = { methodsBeneath($0!).xDeviceCharacteristics(beneath($0!)) }
        return methods
    }()
}
