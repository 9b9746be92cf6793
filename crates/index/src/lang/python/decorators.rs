//! Decorators that say how a member is read: those of the language, of `abc`, `functools` and `typing`.

/// What a known decorator says about the member below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Decorator {
    /// The member has no receiver.
    Static,
    /// The receiver is the class.
    ClassMethod,
    /// The member is read like a field.
    Property,
    /// The member is the reader of a property.
    Getter,
    /// The member is the writer of a property.
    Setter,
    /// The member deletes a property.
    Deleter,
    /// Subclasses must override the member.
    Abstract,
    /// Subclasses must not override the member.
    Final,
    /// The member overrides one of a base.
    Override,
    /// The definition is only a signature.
    Overload,
}

/// What a decorator says, by its text without the `@`; empty for a decorator that is a function like any other.
pub(super) fn known(text: &str) -> &'static [Decorator] {
    use Decorator::{Abstract, ClassMethod, Deleter, Final, Getter, Overload, Override, Property, Setter, Static};
    let path = text.split('(').next().unwrap_or("").trim();
    let last = path.rsplit('.').next().unwrap_or(path);
    let is_of_a_property = path != last;
    match last {
        "staticmethod" => &[Static],
        "classmethod" => &[ClassMethod],
        "property" | "cached_property" => &[Property],
        "abstractmethod" => &[Abstract],
        "abstractproperty" => &[Property, Abstract],
        "abstractclassmethod" => &[ClassMethod, Abstract],
        "abstractstaticmethod" => &[Static, Abstract],
        "getter" if is_of_a_property => &[Getter],
        "setter" if is_of_a_property => &[Setter],
        "deleter" if is_of_a_property => &[Deleter],
        "final" => &[Final],
        "override" => &[Override],
        "overload" => &[Overload],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decorator_is_known_by_the_last_part_of_its_path() {
        assert_eq!(known("functools.cached_property"), [Decorator::Property]);
        assert_eq!(
            known("abc.abstractclassmethod"),
            [Decorator::ClassMethod, Decorator::Abstract]
        );
        assert_eq!(known("price.setter"), [Decorator::Setter]);
        assert_eq!(known("setter"), []);
        assert_eq!(known("app.route('/property')"), []);
        assert_eq!(known("override()"), [Decorator::Override]);
    }
}
