import AlertBusModel

/// What a program that follows screens is told.
package enum ScreenNotice: Sendable {
    /// What changed in one step, and where the streams of these surfaces stand then.
    case changed([ScreenEvent], [ScreenPosition])
    case link(LinkState)
    case repairs(RepairCounts)
    /// What became of something that a person did.
    case command(CommandNotice)
    case failed(ClientError)
}
