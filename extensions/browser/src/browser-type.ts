const known: readonly (readonly [brand: RegExp, type: string])[] = [
  [/brave/i, 'brave'],
  [/microsoft edge/i, 'edge'],
  [/opera/i, 'opera'],
  [/firefox/i, 'firefox'],
];

/**
 * Which browser this is. People of Edge, Brave and Opera install Chrome's package too, so what the browser says of itself
 * outweighs what the package was built for.
 */
export function browserTypeOf(brands: readonly { brand: string }[], build: string): string {
  const found = known.find(([brand]) => brands.some((one) => brand.test(one.brand)));
  return found?.[1] ?? build;
}
