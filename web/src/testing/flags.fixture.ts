/** The flags that are on, as the server answers them. */
export const togglesOf = (...names: readonly string[]) => ({
  toggles: names.map((name) => ({
    name,
    enabled: true as const,
    impressionData: false,
    variant: { name: 'disabled', enabled: false },
  })),
});
