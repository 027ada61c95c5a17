import CSQLite
import Glibc

/// What SQLite holds for an open file: its own header, then where the real one is.
struct LayeredFile {
    var header = sqlite3_file()
    var context: UnsafeMutableRawPointer?
}

private final class FileContext {
    let fileSystem: FaultyFileSystem
    let name: String
    let real: UnsafeMutablePointer<sqlite3_file>
    /// The number of the last injected failure of this file; 0 after a success.
    var lastErrno: Int32 = 0
    /// Failed synchronisations of the file that this opening of it knows of.
    var knownFailures: Int

    init(_ fileSystem: FaultyFileSystem, name: String, real: UnsafeMutablePointer<sqlite3_file>) {
        self.fileSystem = fileSystem
        self.name = name
        self.real = real
        knownFailures = fileSystem.failedSynchronisations(of: name)
    }

    func nextFailure(needsSpace: Bool = false) -> FaultyFileSystem.Plan? {
        let failure = fileSystem.nextFailure(on: name, needsSpace: needsSpace)
        lastErrno = failure?.errno ?? 0
        return failure
    }

    var methods: sqlite3_io_methods { real.pointee.pMethods.pointee }
}

func fileSystem(_ layer: UnsafeMutablePointer<sqlite3_vfs>?) -> FaultyFileSystem {
    Unmanaged<FaultyFileSystem>.fromOpaque(layer!.pointee.pAppData).takeUnretainedValue()
}

private func context(_ file: UnsafeMutablePointer<sqlite3_file>?) -> FileContext {
    let layered = UnsafeMutableRawPointer(file!).assumingMemoryBound(to: LayeredFile.self)
    return Unmanaged<FileContext>.fromOpaque(layered.pointee.context!).takeUnretainedValue()
}

func openLayeredFile(
    _ layer: UnsafeMutablePointer<sqlite3_vfs>?, _ name: UnsafePointer<CChar>?,
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32, _ outFlags: UnsafeMutablePointer<Int32>?
) -> Int32 {
    let fileSystem = fileSystem(layer)
    file!.pointee.pMethods = nil
    let path = name.map { String(cString: $0) } ?? ""
    if fileSystem.nextFailure(on: path) != nil { return SQLITE_CANTOPEN }
    let base = sqlite3_vfs_find(nil)!
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(base.pointee.szOsFile), alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: Int(base.pointee.szOsFile))
    let real = memory.assumingMemoryBound(to: sqlite3_file.self)
    let code = base.pointee.xOpen(base, name, real, flags, outFlags)
    guard code == SQLITE_OK else {
        memory.deallocate()
        return code
    }
    let opened = FileContext(fileSystem, name: path, real: real)
    let layered = UnsafeMutableRawPointer(file!).assumingMemoryBound(to: LayeredFile.self)
    layered.pointee.context = Unmanaged.passRetained(opened).toOpaque()
    layered.pointee.header.pMethods = UnsafePointer(layeredMethods)
    return SQLITE_OK
}

func deleteLayeredFile(
    _ layer: UnsafeMutablePointer<sqlite3_vfs>?, _ name: UnsafePointer<CChar>?, _ synchronise: Int32
) -> Int32 {
    let fileSystem = fileSystem(layer)
    let path = String(cString: name!)
    if fileSystem.nextFailure(on: path) != nil { return SQLITE_IOERR | (10 << 8) }
    let base = sqlite3_vfs_find(nil)!
    let code = base.pointee.xDelete(base, name, synchronise)
    if code == SQLITE_OK { fileSystem.record(.delete(file: path)) }
    return code
}

/// Written once, before the first file is opened, and only read after that.
nonisolated(unsafe) private let layeredMethods: UnsafeMutablePointer<sqlite3_io_methods> = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: sqlite3_io_methods())
    methods.pointee.iVersion = 2
    methods.pointee.xClose = { file in
        let layered = UnsafeMutableRawPointer(file!).assumingMemoryBound(to: LayeredFile.self)
        let closing = Unmanaged<FileContext>.fromOpaque(layered.pointee.context!).takeRetainedValue()
        let code = closing.methods.xClose(closing.real)
        UnsafeMutableRawPointer(closing.real).deallocate()
        return code
    }
    methods.pointee.xRead = { file, into, count, offset in
        context(file).methods.xRead(context(file).real, into, count, offset)
    }
    methods.pointee.xWrite = { file, from, count, offset in
        let file = context(file)
        let failure = file.nextFailure(needsSpace: true)
        let written = failure == nil ? Int(count) : failure!.isHalfDone ? Int(count) / 2 : 0
        if written > 0 {
            let code = file.methods.xWrite(file.real, from, Int32(written), offset)
            if code != SQLITE_OK { return code }
            let bytes = [UInt8](UnsafeRawBufferPointer(start: from, count: written))
            file.fileSystem.record(.write(file: file.name, offset: Int(offset), bytes: bytes))
        }
        guard let failure else { return SQLITE_OK }
        return failure.errno == ENOSPC ? SQLITE_FULL : SQLITE_IOERR | (3 << 8)
    }
    methods.pointee.xTruncate = { file, size in
        let file = context(file)
        if file.nextFailure() != nil { return SQLITE_IOERR | (6 << 8) }
        let code = file.methods.xTruncate(file.real, size)
        if code == SQLITE_OK { file.fileSystem.record(.truncate(file: file.name, size: Int(size))) }
        return code
    }
    methods.pointee.xSync = { file, flags in
        let file = context(file)
        if file.nextFailure(needsSpace: true) != nil {
            file.knownFailures = file.fileSystem.addFailedSynchronisation(of: file.name)
            return SQLITE_IOERR | (4 << 8)
        }
        // As Linux does it: what could not be written is told once to each opening of the file.
        let failures = file.fileSystem.failedSynchronisations(of: file.name)
        if failures != file.knownFailures {
            file.knownFailures = failures
            file.lastErrno = EIO
            return SQLITE_IOERR | (4 << 8)
        }
        let code = file.methods.xSync(file.real, flags)
        if code == SQLITE_OK { file.fileSystem.record(.synchronise(file: file.name)) }
        return code
    }
    methods.pointee.xFileSize = { context($0).methods.xFileSize(context($0).real, $1) }
    methods.pointee.xLock = { context($0).methods.xLock(context($0).real, $1) }
    methods.pointee.xUnlock = { context($0).methods.xUnlock(context($0).real, $1) }
    methods.pointee.xCheckReservedLock = { context($0).methods.xCheckReservedLock(context($0).real, $1) }
    methods.pointee.xFileControl = { file, operation, argument in
        let file = context(file)
        if operation == SQLITE_FCNTL_LAST_ERRNO && file.lastErrno != 0 {
            argument!.assumingMemoryBound(to: Int32.self).pointee = file.lastErrno
            return SQLITE_OK
        }
        return file.methods.xFileControl(file.real, operation, argument)
    }
    methods.pointee.xSectorSize = { context($0).methods.xSectorSize(context($0).real) }
    methods.pointee.xDeviceCharacteristics = { context($0).methods.xDeviceCharacteristics(context($0).real) }
    methods.pointee.xShmMap = { file, region, size, extend, address in
        context(file).methods.xShmMap(context(file).real, region, size, extend, address)
    }
    methods.pointee.xShmLock = { context($0).methods.xShmLock(context($0).real, $1, $2, $3) }
    methods.pointee.xShmBarrier = { context($0).methods.xShmBarrier(context($0).real) }
    methods.pointee.xShmUnmap = { context($0).methods.xShmUnmap(context($0).real, $1) }
    return methods
}()
