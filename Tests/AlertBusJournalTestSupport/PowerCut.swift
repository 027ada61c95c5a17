import TestSupport

/// What may be on disk after a power cut: everything that was synchronised, and of the rest whatever chance leaves.
public struct PowerCut {
    /// Files by name, before the first operation.
    private let before: [String: [UInt8]]

    public init(before: [String: [UInt8]]) { self.before = before }

    /// The files after a cut that follows some operations.
    ///
    /// Of the operations that were not synchronised, each one survives whole, by half, or not at all. What a failed
    /// synchronisation could not write is gone, although the running process still read it.
    package func files(after operations: some Sequence<FaultyFileSystem.Operation>, chance: inout SplitMix64) -> [String: [UInt8]] {
        var durable = before
        var pending: [String: [FaultyFileSystem.Operation]] = [:]
        for operation in operations {
            switch operation {
            case .write(let file, _, _), .truncate(let file, _): pending[file, default: []].append(operation)
            case .synchronise(let file):
                for operation in pending.removeValue(forKey: file) ?? [] { apply(operation, to: &durable) }
            case .failedSynchronise(let file):
                survive(pending.removeValue(forKey: file) ?? [], in: &durable, chance: &chance)
            case .delete(let file):
                // Whether the name is gone is decided below, when the cut comes.
                pending[file, default: []].append(operation)
            }
        }
        for file in pending.keys.sorted() { survive(pending[file]!, in: &durable, chance: &chance) }
        return durable
    }

    private func survive(
        _ operations: [FaultyFileSystem.Operation], in files: inout [String: [UInt8]], chance: inout SplitMix64
    ) {
        // One cut in three keeps almost everything, one almost nothing: both find faults that an even mix does not.
        let style = chance.next() % 3
        for operation in operations {
            let roll = chance.next() % 8
            let isKept = style == 0 ? roll > 0 : style == 1 ? roll == 0 : roll < 4
            if isKept {
                apply(operation, to: &files)
            } else if roll == 7, case .write(let file, let offset, let bytes) = operation {
                apply(.write(file: file, offset: offset, bytes: Array(bytes.prefix(bytes.count / 2))), to: &files)
            }
        }
    }

    private func apply(_ operation: FaultyFileSystem.Operation, to files: inout [String: [UInt8]]) {
        switch operation {
        case .write(let file, let offset, let bytes):
            var content = files[file] ?? []
            if content.count < offset + bytes.count {
                content += [UInt8](repeating: 0, count: offset + bytes.count - content.count)
            }
            content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
            files[file] = content
        case .truncate(let file, let size): files[file] = Array((files[file] ?? []).prefix(size))
        case .delete(let file): files[file] = nil
        case .synchronise, .failedSynchronise: break
        }
    }
}
