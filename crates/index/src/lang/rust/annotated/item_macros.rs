//! Items that stand in macros are items where they read as items.

pub fn before() {}
//> function before vis=public

cfg_net! {
    /// A stream over the network.
    #[derive(Debug)]
    pub struct Stream {
//> struct Stream vis=public doc="A stream over the network." deco=derive(Debug) col=16
        inner: Inner,
//> field Stream::inner
    }

    impl Stream {
        pub async fn connect(addr: &str) -> Self {
//> function Stream::connect cc=2
            if addr.is_empty() { panic!() }
            todo(addr)
        }
    }

    cfg_unix! {
        pub fn deeper() -> bool { true && false }
//> function deeper vis=public cc=2
    }
}

impl Outer {
    cfg_rt! {
        pub fn method(&self) {}
//> method Outer::method vis=public
    }

    pub fn plain(&self) {}
//> method Outer::plain
}

lazy_static! {
    pub static ref TABLE: Vec<u8> = vec![1, 2, 3];
//> static TABLE vis=public
}

mod inner {
//> module inner
    thread_local! {
        static COUNT: u32 = 0;
//> static inner::COUNT vis=private
    }
}

bitflags! {
    struct Flags: u32 {
        const A = 1;
    }
}

html! { <div class="fn not_a_function() {}">{ name }</div> }

fn body() {
//> function body cc=1
    select! {
        fn looks_like_one() {}
    }
}
