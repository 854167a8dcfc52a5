/** The types of what the page uses of Preact and htm. */
type Cleanup = void | (() => void);
export function html(strings: TemplateStringsArray, ...values: any[]): any;
export function render(what: any, where: Element): void;
export function createContext<T>(value: T): { Provider: any; Consumer: any };
export function useContext(context: any): any;
export function useState<T>(start: T | (() => T)): [T, (next: T | ((now: T) => T)) => void];
export function useReducer<S, A>(reduce: (state: S, action: A) => S, start: S): [S, (action: A) => void];
export function useEffect(effect: () => Cleanup, on?: any[]): void;
export function useLayoutEffect(effect: () => Cleanup, on?: any[]): void;
export function useMemo<T>(make: () => T, on: any[]): T;
export function useRef<T>(start: T): { current: T };
