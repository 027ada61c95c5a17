import AlertBusModel

extension MessageWriter {
    /// A message to the arbiter. Of an `Answer` the JSON is written; its choices are what a reader finds in it.
    public mutating func request(_ request: Request) {
        switch request.body {
        case .command(let command): self.command(command, request)
        case .list(let scope, let subscribers):
            open(#"{"v":1,"op":"list""#, request)
            field(#","surface":"#, scope.text)
            if subscribers { field(#","subscribers":"#, true) }
        case .counters:
            open(#"{"v":1,"op":"list""#, request)
            field(#","counters":"#, true)
        case .sync(let scope):
            open(#"{"v":1,"op":"sync""#, request)
            field(#","surface":"#, scope.text)
        case .subscribe(let scope):
            open(#"{"v":1,"op":"subscribe""#, request)
            field(#","surface":"#, scope.text)
        case .unsubscribe(let scope):
            open(#"{"v":1,"op":"unsubscribe""#, request)
            field(#","surface":"#, scope.text)
        case .drawn(let surface, let epoch, let seq):
            open(#"{"v":1,"op":"drawn""#, request)
            field(#","surface":"#, surface)
            field(#","epoch":"#, epoch)
            field(#","seq":"#, seq)
        case .why(let surface, let target):
            open(#"{"v":1,"op":"why""#, request)
            address(surface, target)
        case .ping: open(#"{"v":1,"op":"ping""#, request)
        case .provide(let name):
            open(#"{"v":1,"op":"provide""#, request)
            field(#","name":"#, name)
        case .unprovide(let name):
            open(#"{"v":1,"op":"unprovide""#, request)
            field(#","name":"#, name)
        case .loaded(let load, let rows):
            open(#"{"v":1,"op":"loaded""#, request)
            field(#","load":"#, load)
            json.raw(#","rows":"#)
            json.list(rows) { $0.raw($1.json) }
        case .loadFailed(let load, let message):
            open(#"{"v":1,"op":"loaded""#, request)
            field(#","load":"#, load)
            field(#","error":"#, message)
        }
        end()
    }

    private mutating func open(_ head: StaticString, _ request: Request) {
        begin(head, ref: request.ref)
        if let once = request.once { field(#","once":"#, once) }
        if let producer = request.producer { field(#","producer":"#, producer) }
    }

    private mutating func address(_ surface: String, _ target: Target, revision: UInt32? = nil) {
        field(#","surface":"#, surface)
        switch target {
        case .key(let key): field(#","key":"#, key)
        case .instance(let instance): field(#","instance":"#, instance)
        case .top: break
        }
        if let revision { field(#","revision":"#, UInt64(revision)) }
    }

    private mutating func command(_ command: Command, _ request: Request) {
        switch command {
        case .raise(let raise):
            open(#"{"v":1,"op":"raise""#, request)
            self.raise(raise)
        case .update(let update):
            open(#"{"v":1,"op":"update""#, request)
            self.update(update)
        case .withdraw(let surface, let key, let revision):
            open(#"{"v":1,"op":"withdraw""#, request)
            address(surface, .key(key), revision: revision)
        case .dismiss(let surface, let target, let revision):
            open(#"{"v":1,"op":"dismiss""#, request)
            address(surface, target, revision: revision)
        case .answer(let surface, let target, let revision, let answer):
            open(#"{"v":1,"op":"answer""#, request)
            address(surface, target, revision: revision)
            field(#","answer":"#, json: answer.json)
        case .clear(let scope, let shown):
            open(#"{"v":1,"op":"clear""#, request)
            field(#","surface":"#, scope.text)
            if shown { field(#","shown":"#, true) }
        case .hold(let scope):
            open(#"{"v":1,"op":"hold""#, request)
            field(#","surface":"#, scope.text)
        case .release(let scope):
            open(#"{"v":1,"op":"release""#, request)
            field(#","surface":"#, scope.text)
        case .status(let surface, let target):
            open(#"{"v":1,"op":"status""#, request)
            address(surface, target)
        case .refresh(let surface, let target, let source, let detail):
            open(#"{"v":1,"op":"refresh""#, request)
            address(surface, target)
            field(#","source":"#, source)
            if !detail.isEmpty { field(#","request":"#, json: detail) }
        }
    }
}
