import { startTransition, useEffect, useState } from 'react';

/**
 * A module that is loaded when it is needed; undefined until then. Unlike `lazy`, it needs no `Suspense`, which delays
 * content after a placeholder by 300 ms, and what it shows renders in slices. `load` must be the same function in each
 * render; undefined loads nothing. A failure is thrown by the next rendering, for the error boundary of the page.
 */
export function useLoaded<Module>(load: (() => Promise<Module>) | undefined): Module | undefined {
  const [, setCount] = useState(0);
  const loaded = load && (modules.get(load) as Loaded<Module> | undefined);
  const isPending = load !== undefined && loaded === undefined;
  useEffect(() => {
    if (!isPending || load === undefined) return;
    const render = () => startTransition(() => setCount((count) => count + 1));
    load().then(
      (module) => {
        modules.set(load, { module });
        render();
      },
      (error: unknown) => {
        modules.set(load, { error });
        render();
      },
    );
  }, [isPending, load]);
  if (load !== undefined && loaded && 'error' in loaded) {
    modules.delete(load);
    throw loaded.error;
  }
  return loaded?.module;
}

type Loaded<Module> = { module: Module } | { error: unknown; module?: undefined };
const modules = new WeakMap<() => Promise<unknown>, Loaded<unknown>>();
