const known: readonly (readonly [brand: RegExp, type: string])[] = [
  [/brave/i, 'brave'],
  [/microsoft edge/i, 'edge'],
  [/opera/i, 'opera'],
  [/firefox/i, 'firefox'],
];

/**
 * Detects the browser. Users of Edge, Brave and Opera also install the Chrome package, so the reported brands take
 * precedence over the build target.
 */
export function browserTypeOf(brands: readonly { brand: string }[], build: string): string {
  const found = known.find(([brand]) => brands.some((one) => brand.test(one.brand)));
  return found?.[1] ?? build;
}
