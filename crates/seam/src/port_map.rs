//! `PortMap`: the ports that facets declare for themselves, by type.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Arc;

/// A port that a facet declares, as the type `dyn Trait`.
///
/// The seam does not know these types. A process that lacks the port gets [`Port::absent`], which refuses every request
/// with a reason, so that operations need not ask whether a port exists.
pub trait Port: Send + Sync + 'static {
    /// The port of a process that has none.
    fn absent() -> &'static Self;
}

/// Ports by type. The ports are shared: a clone of the map refers to the same ports.
#[derive(Clone, Default)]
pub struct PortMap {
    ports: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
}

impl PortMap {
    /// The map with one more port. It replaces an earlier port of the same type.
    #[must_use]
    pub fn with<P: Port + ?Sized>(mut self, port: Arc<P>) -> Self {
        self.set(port);
        self
    }

    /// Sets a port. It replaces an earlier port of the same type.
    pub fn set<P: Port + ?Sized>(&mut self, port: Arc<P>) {
        self.ports.insert(TypeId::of::<P>(), Arc::new(port));
    }

    /// The port of a type.
    pub fn get<P: Port + ?Sized>(&self) -> &P {
        match self.shared::<P>() {
            Some(port) => port.as_ref(),
            None => P::absent(),
        }
    }

    /// The port of a type, to be shared; `None` if there is none.
    pub fn shared<P: Port + ?Sized>(&self) -> Option<&Arc<P>> {
        self.ports.get(&TypeId::of::<P>())?.downcast_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    trait Greeting: Send + Sync {
        fn greet(&self) -> &'static str;
    }

    struct Nobody;
    struct Somebody(&'static str);

    impl Greeting for Nobody {
        fn greet(&self) -> &'static str {
            "nobody is here"
        }
    }

    impl Greeting for Somebody {
        fn greet(&self) -> &'static str {
            self.0
        }
    }

    impl Port for dyn Greeting {
        fn absent() -> &'static Self {
            &Nobody
        }
    }

    #[test]
    fn a_port_is_found_by_its_type_and_the_last_one_counts() {
        let none = PortMap::default();
        assert_eq!(none.get::<dyn Greeting>().greet(), "nobody is here");
        assert!(none.shared::<dyn Greeting>().is_none());
        let one = none.clone().with::<dyn Greeting>(Arc::new(Somebody("one")));
        let two = one.clone().with::<dyn Greeting>(Arc::new(Somebody("two")));
        assert_eq!(one.get::<dyn Greeting>().greet(), "one");
        assert_eq!(two.get::<dyn Greeting>().greet(), "two");
        assert_eq!(none.get::<dyn Greeting>().greet(), "nobody is here");
    }
}
