//! How connections are made: one set of trusted authorities for all of them, so that sessions are resumed, and none waits longer than it may for a byte.

use std::time::Duration;

use ureq::unversioned::transport::{
    Buffers, ConnectionDetails, Connector, NextTimeout, RustlsConnector, TcpConnector, Transport, time,
};
use ureq::{Error, Timeout};

/// A socket, watched while it is silent, with TLS on top.
pub(super) fn connector() -> impl Connector {
    ().chain(TcpConnector::default())
        .chain(Watch)
        .chain(SharedTls::default())
}

/// TLS as the agent is set up for it. Times are set for each request, and what is set for a request would otherwise have its own authorities and its own sessions.
#[derive(Debug, Default)]
struct SharedTls(RustlsConnector);

impl<In: Transport> Connector<In> for SharedTls {
    type Out = <RustlsConnector as Connector<In>>::Out;

    fn connect(&self, details: &ConnectionDetails, chained: Option<In>) -> Result<Option<Self::Out>, Error> {
        let shared = ConnectionDetails {
            uri: details.uri,
            addrs: details.resolver.empty(),
            config: details.config,
            request_level: false,
            resolver: details.resolver,
            now: details.now,
            timeout: details.timeout,
            current_time: details.current_time.clone(),
            run_connector: details.run_connector.clone(),
        };
        self.0.connect(&shared, chained)
    }
}

/// Watches how long a server is silent.
#[derive(Debug)]
struct Watch;

impl<In: Transport> Connector<In> for Watch {
    type Out = Watched<In>;

    fn connect(&self, details: &ConnectionDetails, chained: Option<In>) -> Result<Option<Self::Out>, Error> {
        let idle = details.config.timeouts().recv_body;
        Ok(chained.map(|inner| Watched { inner, idle }))
    }
}

/// A connection that ends when the server has been silent for as long as whoever opened it allowed.
#[derive(Debug)]
struct Watched<In> {
    inner: In,
    idle: Option<Duration>,
}

impl<In: Transport> Transport for Watched<In> {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.inner.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        let timeout = self.sooner(timeout)?;
        self.inner.transmit_output(amount, timeout)
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        let timeout = self.sooner(timeout)?;
        self.inner.await_input(timeout)
    }

    fn is_open(&mut self) -> bool {
        self.inner.is_open()
    }

    fn is_tls(&self) -> bool {
        self.inner.is_tls()
    }
}

impl<In> Watched<In> {
    /// The time that is left. None is left when it is over, also for a server that always has something to say: replies that only announce others could go on for ever.
    fn sooner(&self, timeout: NextTimeout) -> Result<NextTimeout, Error> {
        if timeout.after.is_zero() {
            return Err(Error::Timeout(timeout.reason));
        }
        Ok(match self.idle {
            Some(idle) if idle < *timeout.after => NextTimeout {
                after: time::Duration::Exact(idle),
                reason: Timeout::RecvBody,
            },
            _ => timeout,
        })
    }
}
