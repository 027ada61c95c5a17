/// Decides when pages are moved out of the log, by whom, and when the log is too long.
///
/// The log starts again from its beginning with the first commit that finds everything moved. While commits come without a
/// pause another thread never catches up with the last of them, so when little is left the committing thread moves that.
struct LogKeeper {
    enum Step: Equatable {
        case nothing
        /// The other thread should move what it can.
        case request
        /// The committing thread should move the rest.
        case finish
    }

    /// Pages in the log from which on they are moved although commits go on.
    let threshold: Int
    /// Pages at which the committing thread moves them however many are left: it is too fast for the other thread.
    var ceiling: Int { 8 * threshold }
    /// What the committing thread moves without being forced to, when commits are small.
    var remainder: Int { max(8, threshold / 8) }

    private var generation = 0
    private var moved = 0
    /// The last pass moved nothing although there was something: a reader needs it.
    private var isHeld = false
    /// Not before the log has so many pages again, because a reader keeps it from being moved or started again.
    private var nextAt = 0
    /// Pages when it was last asked, which is after every few commits.
    private var lastPages = 0

    init(threshold: Int) { self.threshold = max(1, threshold) }

    /// The log of an opened file, or one that was emptied.
    mutating func startAgain() { self = LogKeeper(threshold: threshold) }

    /// Takes in what was moved in some generation of the log.
    mutating func note(_ found: SQLiteConnection.Checkpoint, generation: Int) {
        // An older one was moved whole, or it would not have ended.
        guard generation >= self.generation else { return }
        enter(generation)
        isHeld = found.movedPages < found.logPages && found.movedPages <= moved
        moved = max(moved, found.movedPages)
        if isHeld { nextAt = found.logPages + threshold }
    }

    private mutating func enter(_ generation: Int) {
        guard generation != self.generation else { return }
        startAgain()
        self.generation = generation
    }

    /// Pages that are only in the log.
    func unmoved(of log: SQLiteConnection.Log) -> Int {
        log.generation == generation ? max(0, log.pages - moved) : log.pages
    }

    /// - Parameters:
    ///   - isIdle: no commit waits.
    ///   - isBusy: the other thread is at it.
    mutating func next(_ log: SQLiteConnection.Log, isIdle: Bool, isBusy: Bool) -> Step {
        enter(log.generation)
        let left = unmoved(of: log)
        // Large commits leave more while the other thread moves something, and it costs less beside them.
        let grown = log.pages - lastPages
        lastPages = log.pages
        if left == 0 { return .nothing }
        if isIdle { return isBusy || (isHeld && log.pages < nextAt) ? .nothing : .request }
        guard log.pages >= max(threshold, nextAt) else { return .nothing }
        // What a reader holds nobody can move, and looking through a long log takes time.
        if (log.pages >= ceiling && !isHeld) || (left <= max(remainder, grown) && !isBusy) {
            // Normally the next commit starts the log again. If a reader keeps it from that, not at every commit.
            nextAt = log.pages + threshold
            return .finish
        }
        return isBusy ? .nothing : .request
    }
}
