import CMicroHTTPD

/// One connection of libmicrohttpd.
///
/// Sendable because only `suspend` and `resume` leave the server's thread, which the library allows from any thread, and because
/// who holds one makes sure that it is not freed meanwhile: `suspend` is called from the library's own callback, `resume` once for each `suspend`.
struct Connection: @unchecked Sendable {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    func suspend() { MHD_suspend_connection(pointer) }
    func resume() { MHD_resume_connection(pointer) }
}
