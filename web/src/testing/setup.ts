import { afterAll, vi } from 'vitest';

// The files of a worker share one window, but each evaluates our modules again.
vi.resetModules();

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

// The window of happy-dom has no layout, and its observer reports nothing: every element is in view.
class EveryElementInView {
  readonly #notify: (entries: { target: Element; isIntersecting: boolean }[]) => void;
  constructor(notify: (entries: { target: Element; isIntersecting: boolean }[]) => void) {
    this.#notify = notify;
  }
  observe(target: Element): void {
    this.#notify([{ target, isIntersecting: true }]);
  }
  unobserve(): void {}
  disconnect(): void {}
}
Object.assign(globalThis, { IntersectionObserver: EveryElementInView });

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  if (typeof document === 'undefined') return;
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
  document.title = '';
  window.history.replaceState(null, '', '/');
});
