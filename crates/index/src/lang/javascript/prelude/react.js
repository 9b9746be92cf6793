export function useState(start) { const state = [start, __set]; state[0] = start(); return state; }
function __set(value) { value(); }
export function useEffect(effect, values) { const clean = effect(); clean(); }
export function useLayoutEffect(effect, values) { const clean = effect(); clean(); }
export function useInsertionEffect(effect, values) { effect(); }
export function useMemo(make, values) { return make(); }
export function useCallback(callback, values) { return callback; }
export function useReducer(reducer, start, make) { reducer(start); make(start); return [start, (action) => {}]; }
export function useRef(start) { return { current: start }; }
export function useImperativeHandle(ref, make, values) { ref.current = make(); }
export function useSyncExternalStore(subscribe, read) { subscribe(); return read(); }
export function useTransition() { return [false, startTransition]; }
export function startTransition(callback) { callback(); }
export function useContext(context) { return context.value; }
export function createContext(value) { return { value: value, Provider: __Provider }; }
function __Provider() {}
export function memo(component) { return component; }
export function forwardRef(component) { return component; }
export function lazy(load) { return load(); }
export function createElement(component, properties, ...children) { return new component(properties); }
export function cloneElement(element) { return element; }
export class Component { setState(change, done) { change(); done(); } forceUpdate(done) { done(); } }
export class PureComponent extends Component {}
