/// A point in time, or a span of it, in milliseconds. Points count from 1970-01-01 UTC.
///
/// Time is always an input: nothing in the model or the core reads a clock.
public typealias Milliseconds = Int64
