func plain() { let x = a ?? b; _ = y?.z; try! run() }
//> function plain cc=1

func branches(x: Int) {
//> function branches cc=6
    guard let a = b else { return }
    if x > 0, let y = z { } else if x < 0 { } else { }
    let sign = x > 0 ? 1 : -1
    let value = if x == 0 { 1 } else { 2 }
    #if DEBUG
    log()
    #endif
}

func loops() {
//> function loops cc=6
    for i in 0..<3 where i > 1 { }
    while let line = next() { }
    repeat { } while more
    for await event in events { }
}

func cases(_ shape: Shape) -> Int {
//> function cases cc=5
    switch shape {
    case .circle, .square: return 1
    case let .polygon(n) where n > 2: return n
    case is Line: return 2
    @unknown default: return 0
    }
}

func failing() {
//> function failing cc=5
    do { try run() }
    catch Failure.small { }
    catch let error as Big where error.isBig { }
    catch { }
}

func logic() -> Bool {
//> function logic cc=4
    a && b || !c && (d == e)
}

func outer() {
//> function outer cc=2
    items.forEach { if $0 { print($0) } }
//> function outer.<lambda1> cc=2
    if x { }
}
