#if os(iOS)
typealias Platform = UIView
//> type_alias Platform
#else
typealias Platform = NSView
//> type_alias Platform#2
#endif

#if os(iOS)
class Screen: UIView {
//> class Screen sig="class Screen: UIView"
#else
class Screen: NSView {
#endif
    #if DEBUG // only there
    func debug() {}
//> method Screen.debug
    #endif

    func handle(_ event: Event) {
//> method Screen.handle cc=4
        switch event {
        #if os(iOS)
        case .tap: break
        #elseif os(macOS)
        case .click: break
        #endif
        case .key(): break
        default: break
        }
        view
            .padding()
            #if DEBUG
            .border(.red)
            #endif
            .onAppear { run() }
        done(())
    }
}

func after() -> () { return () }
//> function after sig="func after() -> ()"
