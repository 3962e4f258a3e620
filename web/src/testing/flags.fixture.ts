/** The response of the server with these enabled flags. */
export const togglesOf = (...names: readonly string[]) => ({
  toggles: names.map((name) => ({
    name,
    enabled: true as const,
    impressionData: false,
    variant: { name: 'disabled', enabled: false },
  })),
});
